// What administrators and tools send: renames, copies, JavaScript, operations, roles, files.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { GridFSBucket } = require('mongodb');
const { useServer } = require('./orrery_server');

const fixture = useServer();
const database = () => fixture.client.db('admin_test');
const admin = () => fixture.client.db('admin');

test('collections are renamed and replaced', async () => {
  await database().collection('a').insertMany([{ _id: 1 }, { _id: 2 }]);
  await database().collection('b').insertOne({ _id: 9 });
  await assert.rejects(database().collection('a').rename('b'), { code: 48 });
  const renamed = await database().collection('a').rename('b', { dropTarget: true });
  assert.deepEqual(await renamed.find().toArray(), [{ _id: 1 }, { _id: 2 }]);
  assert.deepEqual((await database().listCollections().toArray()).map((each) => each.name), ['b']);
});

test('$out replaces a collection', async () => {
  await database().collection('source').insertMany([{ _id: 1, n: 5 }, { _id: 2, n: 7 }]);
  await database().collection('target').insertOne({ _id: 'old' });
  await database().collection('source').aggregate([{ $match: { n: 7 } }, { $out: 'target' }]).toArray();
  assert.deepEqual(await database().collection('target').find().toArray(), [{ _id: 2, n: 7 }]);
});

test('JavaScript in queries and aggregations', async () => {
  await database().collection('js').insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 5 }]);
  const found = await database().collection('js').find({ $where: 'this.a > 3' }).toArray();
  assert.deepEqual(found, [{ _id: 2, a: 5 }]);
  const made = await database().collection('js').aggregate([{ $sort: { _id: 1 } }, {
    $project: { r: { $function: { body: 'function(a) { return [a, a * 2]; }', args: ['$a'], lang: 'js' } } },
  }]).toArray();
  assert.deepEqual(made, [{ _id: 1, r: [1, 2] }, { _id: 2, r: [5, 10] }]);
  const reduced = await database().command({
    mapReduce: 'js', map: 'function() { emit("sum", this.a); }', reduce: 'function(k, v) { return Array.sum(v); }', out: { inline: 1 },
  });
  assert.deepEqual(reduced.results, [{ _id: 'sum', value: 6 }]);
});

test('a running command is seen and killed', async () => {
  await database().collection('slow').insertMany(Array.from({ length: 2000 }, (_, i) => ({ _id: i })));
  const running = database().collection('slow').find({ $where: 'for (let i = 0; i < 3000000; ++i); return true' }).toArray();
  const ended = assert.rejects(running, { code: 11601 });
  let op;
  for (let i = 0; i < 10000 && op === undefined; ++i) {
    const { inprog } = await admin().command({ currentOp: 1, ns: 'admin_test.slow' });
    op = inprog.find((each) => each.op === 'query');
  }
  assert.ok(op !== undefined, 'the command was not seen');
  await admin().command({ killOp: 1, op: op.opid });
  await ended;
});

test('GridFS keeps files', async (t) => {
  try {
    await database().collection('probe').createIndex({ n: 1 }, { unique: true });
  } catch (error) {
    t.skip(`GridFS needs unique indexes: ${error.message}`);
    return;
  }
  const bucket = new GridFSBucket(database(), { chunkSizeBytes: 100_000 });
  const bytes = Buffer.alloc(1_234_567, 'orrery');
  const upload = bucket.openUploadStream('file.bin', { metadata: { kind: 'test' } });
  await new Promise((resolve, reject) => upload.on('finish', resolve).on('error', reject).end(bytes));
  const parts = [];
  for await (const part of bucket.openDownloadStreamByName('file.bin')) parts.push(part);
  assert.ok(Buffer.concat(parts).equals(bytes));
  const range = [];
  for await (const part of bucket.openDownloadStream(upload.id, { start: 150_000, end: 150_010 })) range.push(part);
  assert.deepEqual(Buffer.concat(range), bytes.subarray(150_000, 150_010));
  assert.equal((await bucket.find({ 'metadata.kind': 'test' }).toArray()).length, 1);
  await bucket.rename(upload.id, 'other.bin');
  await bucket.delete(upload.id);
  assert.equal(await database().collection('fs.chunks').countDocuments(), 0);
});

test('bulkWrite of 8.0, sent as it is', async () => {
  const reply = await admin().command({
    bulkWrite: 1,
    nsInfo: [{ ns: 'admin_test.bulk' }],
    ops: [{ insert: 0, document: { _id: 1 } }, { update: 0, filter: { _id: 1 }, updateMods: { $set: { a: 1 } } }],
  });
  assert.equal(reply.nInserted, 1);
  assert.equal(reply.nModified, 1);
  assert.deepEqual(await database().collection('bulk').find().toArray(), [{ _id: 1, a: 1 }]);
});

test('what monitoring programs read', async () => {
  const status = await admin().command({ serverStatus: 1 });
  assert.ok(status.connections.current > 0);
  assert.ok(status.network.bytesIn > 0 && status.network.numRequests > 0);
  assert.ok(status.opcounters.insert > 2000);
  assert.ok(status.mem.resident > 0);
  const { totals } = await admin().command({ top: 1 });
  assert.ok(totals['admin_test.slow'].insert.count > 0);
});

test('a role of one collection', async () => {
  await database().collection('open').insertOne({ _id: 1 });
  await database().collection('closed').insertOne({ _id: 1 });
  await database().command({
    createRole: 'reader', roles: [], privileges: [{ resource: { db: 'admin_test', collection: 'open' }, actions: ['find'] }],
  });
  await database().command({ createUser: 'ann', pwd: 'secret', roles: ['reader'] });
  const ann = await fixture.connect({ auth: { username: 'ann', password: 'secret' }, authSource: 'admin_test' }, fixture.server.accountPort);
  const things = ann.db('admin_test');
  assert.deepEqual(await things.collection('open').find().toArray(), [{ _id: 1 }]);
  await assert.rejects(things.collection('closed').find().toArray(), { code: 13 });
  await assert.rejects(things.collection('open').insertOne({ _id: 2 }), { code: 13 });
});

test('texts are searched and sorted by score', async () => {
  const articles = database().collection('articles');
  await articles.createIndex({ title: 'text', body: 'text' }, { weights: { title: 10 } });
  await articles.insertMany([{ _id: 1, title: 'Coffee shops', body: 'where to drink' }, { _id: 2, title: 'Tea', body: 'not coffee' }, { _id: 3, title: 'Water', body: 'plain' }]);
  const found = await articles.find({ $text: { $search: 'coffees' } })
    .project({ _id: 1, score: { $meta: 'textScore' } }).sort({ score: { $meta: 'textScore' } }).toArray();
  assert.deepEqual(found, [{ _id: 1, score: 7.5 }, { _id: 2, score: 1 }]);
  await articles.updateOne({ _id: 3 }, { $set: { body: 'stronger than coffee' } });
  assert.equal(await articles.countDocuments({ $text: { $search: '"than coffee" -tea' } }), 1);
  await assert.rejects(articles.createIndex({ other: 'text' }), { code: 85 });
});

test('the profiler records what is slow, or everything', async () => {
  assert.equal((await database().command({ profile: 2 })).was, 0);
  await database().collection('profiled').insertOne({ _id: 1, a: 1 });
  await database().collection('profiled').findOne({ a: 1 });
  await database().command({ profile: 0 });
  const records = await database().collection('system.profile').find({ ns: 'admin_test.profiled' }).sort({ ts: 1 }).toArray();
  assert.deepEqual(records.map((record) => record.op), ['insert', 'query']);
  assert.equal(records[1].docsExamined, 1);
});

test('a failed validation says why, and a time series needs its time', async () => {
  await database().createCollection('checked', { validator: { $jsonSchema: { required: ['n'], properties: { n: { bsonType: 'int' } } } } });
  await assert.rejects(database().collection('checked').insertOne({ n: 'x' }), (error) => {
    const [rule] = error.errInfo.details.schemaRulesNotSatisfied;
    return error.code === 121 && rule.propertiesNotSatisfied[0].propertyName === 'n';
  });
  await database().createCollection('points', { timeseries: { timeField: 'at', metaField: 'sensor' } });
  await database().collection('points').insertOne({ at: new Date(0), sensor: 1, value: 2 });
  await assert.rejects(database().collection('points').insertOne({ sensor: 1 }), { code: 2 });
  const [listed] = await database().listCollections({ name: 'points' }).toArray();
  assert.equal(listed.type, 'timeseries');
});
