// Documents, as applications write and read them.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Binary, Decimal128, Long, ObjectId, Timestamp } = require('mongodb');
const { useServer } = require('./orrery_server');

const fixture = useServer();
let number = 0;
const collection = () => fixture.client.db('documents').collection(`c${++number}`);

test('insert and find back, every type as it was', async () => {
  const things = collection();
  const document = {
    _id: new ObjectId(), text: 'x', int: 1, double: 1.5, long: Long.fromString('9007199254740993'),
    decimal: Decimal128.fromString('1.10'), date: new Date(5), nothing: null, list: [1, [2], { a: 3 }],
    binary: new Binary(Buffer.from('ab'), 5), regex: /a/i, time: new Timestamp({ t: 1, i: 2 }), yes: true, inner: { b: {} },
  };
  assert.equal((await things.insertOne(document)).acknowledged, true);
  const found = await things.findOne({ _id: document._id }, { promoteLongs: false, promoteBuffers: false });
  assert.deepEqual(Object.keys(found), Object.keys(document));
  assert.equal(found.long.toString(), '9007199254740993');
  assert.equal(found.decimal.toString(), '1.10');
  assert.deepEqual(found.list, document.list);
  assert.equal(found.regex.flags, 'i');
});

test('_id of any type, in its order', async () => {
  const things = collection();
  await things.insertMany([{ _id: 'b' }, { _id: 2 }, { _id: { a: 1 } }, { _id: new Date(0) }, { _id: 1.5 }]);
  const ids = await things.find().sort({ _id: 1 }).map((document) => document._id).toArray();
  assert.deepEqual(ids, [1.5, 2, 'b', { a: 1 }, new Date(0)]);
});

test('a second document of an _id is a duplicate key', async () => {
  const things = collection();
  await things.insertOne({ _id: 1 });
  await assert.rejects(things.insertOne({ _id: 1 }), (error) => {
    assert.equal(error.code, 11000);
    assert.match(error.message, /E11000 duplicate key error collection: documents\.c\d+ index: _id_ dup key: { _id: 1 }/);
    assert.deepEqual(error.keyValue ?? error.writeErrors?.[0]?.err?.keyValue ?? { _id: 1 }, { _id: 1 });
    return true;
  });
  await assert.rejects(things.insertMany([{ _id: 2 }, { _id: 1 }, { _id: 3 }]), (error) => error.insertedCount === 1);
  await assert.rejects(things.insertMany([{ _id: 4 }, { _id: 1 }, { _id: 5 }], { ordered: false }),
    (error) => error.insertedCount === 2);
  assert.equal(await things.countDocuments({}), 4);
});

test('large results come in batches', async () => {
  const things = collection();
  await things.insertMany(Array.from({ length: 1000 }, (_, i) => ({ _id: i, n: i % 7 })));
  assert.equal((await things.find({}).batchSize(33).toArray()).length, 1000);
  assert.equal((await things.find({ n: 3 }).toArray()).length, 143);
  assert.equal((await things.find({}).skip(10).limit(5).toArray()).length, 5);
  const cursor = things.find({}).batchSize(2);
  await cursor.next();
  await cursor.close();
});

test('update, upsert, replace and delete', async () => {
  const things = collection();
  await things.insertMany([{ _id: 1, n: 1 }, { _id: 2, n: 1 }, { _id: 3, n: 2 }]);
  assert.deepEqual(pick(await things.updateOne({ _id: 1 }, { $inc: { n: 5 } })), [1, 1, 0]);
  assert.deepEqual(pick(await things.updateOne({ _id: 1 }, { $set: { n: 6 } })), [1, 0, 0]);
  assert.deepEqual(pick(await things.updateMany({ n: { $lt: 6 } }, { $set: { seen: true } })), [2, 2, 0]);
  assert.deepEqual(pick(await things.updateOne({ _id: 9 }, { $set: { a: 1 } }, { upsert: true })), [0, 0, 1]);
  assert.deepEqual(pick(await things.updateOne({ name: 'new' }, { $set: { a: 1 } }, { upsert: true })), [0, 0, 1]);
  assert.equal((await things.findOne({ name: 'new' })).a, 1);
  await things.replaceOne({ _id: 2 }, { other: 1 });
  assert.deepEqual(await things.findOne({ _id: 2 }), { _id: 2, other: 1 });
  assert.equal((await things.deleteOne({ _id: 2 })).deletedCount, 1);
  assert.equal((await things.deleteMany({})).deletedCount, 4);
  assert.equal(await things.estimatedDocumentCount(), 0);

  function pick(result) { return [result.matchedCount, result.modifiedCount, result.upsertedCount]; }
});

test('find and change in one step', async () => {
  const things = collection();
  await things.insertMany([{ _id: 1, n: 1 }, { _id: 2, n: 5 }]);
  const after = await things.findOneAndUpdate({}, { $inc: { n: 1 } }, { sort: { n: -1 }, returnDocument: 'after' });
  assert.deepEqual(after, { _id: 2, n: 6 });
  assert.deepEqual(await things.findOneAndDelete({ _id: 1 }), { _id: 1, n: 1 });
  assert.equal(await things.findOneAndDelete({ _id: 1 }), null);
});

test('counters that many write at once lose nothing', async () => {
  const things = collection();
  await things.insertOne({ _id: 'counter', n: 0 });
  await Promise.all(Array.from({ length: 200 }, () => things.updateOne({ _id: 'counter' }, { $inc: { n: 1 } })));
  assert.equal((await things.findOne({ _id: 'counter' })).n, 200);
});

test('sharded collections', async () => {
  const database = fixture.client.db('admin');
  const { $clusterTime, operationTime, ...answer } = await database.command({ shardCollection: 'admin.people', key: { region: 'hashed' } });
  assert.ok($clusterTime.clusterTime.equals(operationTime));
  assert.deepEqual(answer, { _t: 'ShardCollectionResponse', ok: 1, collectionsharded: 'admin.people' });
  const people = database.collection('people');
  await people.insertMany(Array.from({ length: 60 }, (_, i) => ({ _id: i, region: `r${i % 6}`, n: i })));
  assert.equal((await people.find({ region: 'r1' }).toArray()).length, 10);
  assert.equal((await people.findOne({ _id: 7, region: 'r1' })).n, 7);
  assert.equal((await people.findOne({ _id: 7 })).n, 7);
  // The same _id under another shard key is another document.
  await people.insertOne({ _id: 7, region: 'r2' });
  assert.equal(await people.countDocuments({ _id: 7 }), 2);
  await people.updateOne({ _id: 7, region: 'r1' }, { $set: { n: 70 } });
  assert.equal((await people.findOne({ _id: 7, region: 'r1' })).n, 70);
  await assert.rejects(people.updateOne({ _id: 7, region: 'r1' }, { $set: { region: 'r9' } }), (error) => error.code === 66);
});

test('indexes find what scans find', async () => {
  const things = collection();
  await things.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i, a: i % 10, tags: [`t${i % 3}`, `u${i % 5}`] })));
  const queries = [{ a: 3 }, { a: { $gt: 7 } }, { a: { $in: [1, 2] } }, { tags: 't1' }, { tags: { $all: ['t1', 'u2'] } }];
  const before = [];
  for (const query of queries) before.push(await ids(query));
  assert.equal(await things.createIndex({ a: 1 }), 'a_1');
  assert.equal(await things.createIndex({ tags: 1, a: -1 }), 'tags_1_a_-1');
  assert.equal(await things.createIndex({ a: 1 }), 'a_1');
  for (const [i, query] of queries.entries()) assert.deepEqual(await ids(query), before[i]);
  assert.deepEqual((await things.indexes()).map((index) => index.name), ['_id_', 'a_1', 'tags_1_a_-1']);
  await things.dropIndex('a_1');
  assert.deepEqual((await things.indexes()).map((index) => index.name), ['_id_', 'tags_1_a_-1']);

  async function ids(query) {
    return (await things.find(query, { projection: { _id: 1 } }).toArray()).map((found) => found._id).sort((x, y) => x - y);
  }
});

test('what a command costs', async () => {
  const things = collection();
  await things.insertOne({ _id: 1 });
  const client = await fixture.connect({ maxPoolSize: 1 });
  await client.db('documents').collection(things.collectionName).findOne({ _id: 1 });
  const statistics = await client.db('documents').command({ getLastRequestStatistics: 1 });
  assert.equal(statistics._t, 'GetRequestStatisticsResponse');
  assert.equal(statistics.CommandName, 'find');
  assert.ok(statistics.RequestCharge >= 1);
});
