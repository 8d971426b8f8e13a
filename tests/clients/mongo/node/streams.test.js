// Change streams, as applications use them: what they tell, how they wait, where they go on.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Timestamp } = require('mongodb');
const { useServer } = require('./orrery_server');

const fixture = useServer();
let number = 0;
const name = () => `c${++number}`;
const database = (of = 'streams') => fixture.client.db(of);

// Opens a stream: it is open when this returns.
async function open(target, pipeline = [], options = {}) {
  const stream = target.watch(pipeline, { maxAwaitTimeMS: 500, ...options });
  assert.equal(await stream.tryNext(), null);
  return stream;
}

async function take(stream, count) {
  const events = [];
  while (events.length < count) events.push(await stream.next());
  return events;
}

const told = (event) => {
  const { _id, clusterTime, wallTime, ...rest } = event;
  assert.match(_id._data, /^82[0-9A-F]+$/);
  assert.ok(clusterTime instanceof Timestamp);
  assert.ok(wallTime instanceof Date);
  return rest;
};

// Before anybody watches everything, which has new collections keep their history from the beginning.
test('history that was not kept, and tokens that are not ours', async () => {
  const things = database('unwatched').collection(name());
  await assert.rejects(things.watch([], { resumeAfter: { _data: 'zz' } }).next(), { code: 9 });
  await assert.rejects(things.watch([], { resumeAfter: { x: 1 } }).next(), { code: 40647 });
  const before = (seconds) => new Timestamp({ t: Math.floor(Date.now() / 1000) - seconds, i: 1 });
  await things.insertOne({ _id: 1 });
  await things.updateOne({ _id: 1 }, { $set: { a: 1 } });
  await assert.rejects(things.watch([], { startAtOperationTime: before(1800) }).next(), { code: 286 });
  await assert.rejects(things.watch([], { startAtOperationTime: before(25 * 3600) }).next(), { code: 286 });
});

test('a stream tells of every change of a document, in order', async () => {
  const things = database().collection(name());
  const stream = await open(things); // the collection does not exist yet
  const ns = { db: 'streams', coll: things.collectionName };
  await things.insertOne({ _id: 1, a: 1, list: [1, 2] });
  await things.updateOne({ _id: 1 }, { $set: { 'b.c': 2 }, $unset: { a: 1 }, $push: { list: 3 } });
  await things.updateOne({ _id: 1 }, { $set: { 'b.c': 2 } }); // changes nothing: no event
  await things.replaceOne({ _id: 1 }, { x: 'replaced' });
  await things.findOneAndUpdate({ _id: 1 }, { $inc: { n: 5 } });
  await things.deleteOne({ _id: 1 });
  const events = await take(stream, 5);
  assert.deepEqual(events.map(told), [
    { operationType: 'insert', fullDocument: { _id: 1, a: 1, list: [1, 2] }, ns, documentKey: { _id: 1 } },
    { operationType: 'update', ns, documentKey: { _id: 1 },
      updateDescription: { updatedFields: { b: { c: 2 }, 'list.2': 3 }, removedFields: ['a'], truncatedArrays: [] } },
    { operationType: 'replace', fullDocument: { _id: 1, x: 'replaced' }, ns, documentKey: { _id: 1 } },
    { operationType: 'update', ns, documentKey: { _id: 1 },
      updateDescription: { updatedFields: { n: 5 }, removedFields: [], truncatedArrays: [] } },
    { operationType: 'delete', ns, documentKey: { _id: 1 } },
  ]);
  const tokens = events.map((event) => event._id._data);
  assert.deepEqual(tokens, [...tokens].sort());
  assert.equal(new Set(tokens).size, 5);
  await stream.close();
});

test('the fields of events come in the order of MongoDB', async () => {
  const things = database().collection(name());
  const stream = await open(things, [], { fullDocument: 'updateLookup' });
  await things.insertOne({ _id: 1 });
  await things.updateOne({ _id: 1 }, { $set: { a: 1 } });
  const [insert, update] = await take(stream, 2);
  assert.deepEqual(Object.keys(insert),
    ['_id', 'operationType', 'clusterTime', 'wallTime', 'fullDocument', 'ns', 'documentKey']);
  assert.deepEqual(Object.keys(update),
    ['_id', 'operationType', 'clusterTime', 'wallTime', 'fullDocument', 'ns', 'documentKey', 'updateDescription']);
  assert.deepEqual(update.fullDocument, { _id: 1, a: 1 });
  await stream.close();
});

test('a waiting stream answers soon after the write', async () => {
  const things = database().collection(name());
  await things.insertOne({ _id: 0 });
  const stream = things.watch([], { maxAwaitTimeMS: 20_000 });
  const waits = [];
  for (let i = 1; i <= 5; ++i) {
    const next = stream.next();
    await new Promise((resolve) => setTimeout(resolve, i === 1 ? 500 : 50)); // the stream is open, and waits
    const begin = process.hrtime.bigint();
    await things.insertOne({ _id: i });
    assert.equal((await next).documentKey._id, i);
    waits.push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
  // Far below the 20 s that it would wait without the write; the median leaves room for a busy machine.
  waits.sort((a, b) => a - b);
  assert.ok(waits[2] < 2_000, `took ${waits} ms`);
  await stream.close();
});

test('streams resume: after an event, at a time, and where nothing was read yet', async () => {
  const things = database().collection(name());
  const stream = await open(things);
  const before = stream.resumeToken;
  for (let i = 0; i < 6; ++i) await things.insertOne({ _id: i });
  const events = await take(stream, 3);
  await stream.close();
  const ids = async (options, count) => {
    const resumed = things.watch([], { maxAwaitTimeMS: 500, ...options });
    const seen = (await take(resumed, count)).map((event) => event.documentKey._id);
    assert.equal(await resumed.tryNext(), null);
    await resumed.close();
    return seen;
  };
  assert.deepEqual(await ids({ resumeAfter: events[2]._id }, 3), [3, 4, 5]);
  assert.deepEqual(await ids({ startAfter: events[0]._id }, 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ids({ startAtOperationTime: events[1].clusterTime }, 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ids({ resumeAfter: before }, 6), [0, 1, 2, 3, 4, 5]);
});

test('a batch of documents is told one by one', async () => {
  const things = database().collection(name());
  const stream = await open(things, [], { batchSize: 7 });
  await things.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i })));
  await things.updateMany({ _id: { $lt: 50 } }, { $inc: { n: 1 } });
  await things.deleteMany({ _id: { $gte: 250 } });
  const events = await take(stream, 400);
  const ids = (operation) => events.filter((event) => event.operationType === operation).map((event) => event.documentKey._id);
  assert.deepEqual(ids('insert'), Array.from({ length: 300 }, (_, i) => i));
  assert.deepEqual(ids('update').sort((a, b) => a - b), Array.from({ length: 50 }, (_, i) => i));
  assert.deepEqual(ids('delete').sort((a, b) => a - b), Array.from({ length: 50 }, (_, i) => 250 + i));
  await stream.close();
});

test('stages choose and shape events, but keep the token', async () => {
  const things = database().collection(name());
  // The form that Azure Cosmos DB asks for.
  const azure = await open(things, [
    { $match: { operationType: { $in: ['insert', 'update', 'replace'] } } },
    { $project: { _id: 1, fullDocument: 1, ns: 1, documentKey: 1 } }], { fullDocument: 'updateLookup' });
  const spoiled = await open(things, [{ $project: { _id: 0 } }]);
  await things.insertOne({ _id: 1 });
  await things.deleteOne({ _id: 1 });
  await things.insertOne({ _id: 2 });
  const events = await take(azure, 2);
  assert.deepEqual(events.map(({ _id, ...rest }) => rest), [1, 2].map((id) => (
    { fullDocument: { _id: id }, ns: { db: 'streams', coll: things.collectionName }, documentKey: { _id: id } })));
  // The driver itself refuses events without a token; the server does before.
  await assert.rejects(spoiled.next(), (error) => error.code === 280 || /resume token/.test(error.message));
  await azure.close();
  await spoiled.close();
});

test('images of documents', async () => {
  const things = await database().createCollection(name(), { changeStreamPreAndPostImages: { enabled: true } });
  const stream = await open(things, [], { fullDocument: 'required', fullDocumentBeforeChange: 'required' });
  await things.insertOne({ _id: 1, n: 1 });
  await things.updateOne({ _id: 1 }, { $set: { n: 2 } });
  await things.updateOne({ _id: 1 }, { $set: { n: 3 } });
  await things.replaceOne({ _id: 1 }, { n: 4 });
  await things.deleteOne({ _id: 1 });
  const events = await take(stream, 5);
  assert.deepEqual(events.map((event) => event.fullDocument?.n), [1, 2, 3, 4, undefined]);
  assert.deepEqual(events.map((event) => event.fullDocumentBeforeChange?.n), [undefined, 1, 2, 3, 4]);
  await stream.close();

  await database().command({ collMod: things.collectionName, changeStreamPreAndPostImages: { enabled: false } });
  const without = await open(things, [], { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' });
  await things.insertOne({ _id: 2 });
  await things.updateOne({ _id: 2 }, { $set: { n: 2 } });
  const [, update] = await take(without, 2);
  assert.equal(update.fullDocument, null);
  assert.equal(update.fullDocumentBeforeChange, null);
  await without.close();
  const required = await open(things, [], { fullDocumentBeforeChange: 'required' });
  await things.deleteOne({ _id: 2 });
  await assert.rejects(required.next(), { code: 47 });
});

test('drop and rename end the stream of a collection', async () => {
  const things = database().collection(name());
  const stream = await open(things);
  await things.insertOne({ _id: 1 });
  await things.drop();
  const events = await take(stream, 3);
  assert.deepEqual(events.map((event) => event.operationType), ['insert', 'drop', 'invalidate']);
  assert.equal(await stream.hasNext().catch(() => false), false);
  // Only startAfter goes on from there.
  await assert.rejects(things.watch([], { resumeAfter: events[2]._id }).next(), { code: 260 });
  const later = await open(things, [], { startAfter: events[2]._id });
  await things.insertOne({ _id: 2 });
  assert.equal((await later.next()).documentKey._id, 2);
  const target = name();
  await things.rename(target);
  const [rename, end] = await take(later, 2);
  assert.equal(rename.operationType, 'rename');
  assert.deepEqual(rename.to, { db: 'streams', coll: target });
  assert.equal(end.operationType, 'invalidate');
  // What was dropped is still read by those who go on before it.
  const resumed = things.watch([], { resumeAfter: events[0]._id, maxAwaitTimeMS: 500 });
  assert.deepEqual((await take(resumed, 2)).map((event) => event.operationType), ['drop', 'invalidate']);
});

test('streams of databases and of the deployment', async () => {
  const db = database('everything');
  const ofDatabase = await open(db);
  const ofAll = await open(fixture.client);
  await db.collection('a').insertOne({ _id: 1 });
  await database('elsewhere').collection('b').insertOne({ _id: 2 });
  await db.collection('c').insertOne({ _id: 3 });
  await db.collection('a').rename('d');
  await db.collection('d').insertOne({ _id: 4 });
  await db.dropDatabase();
  const short = (event) => [event.operationType, event.ns?.coll ?? event.ns?.db, event.documentKey?._id]
    .filter((part) => part !== undefined).join(' ');
  const own = (await take(ofDatabase, 8)).map(short);
  assert.deepEqual(own.slice(0, 4), ['insert a 1', 'insert c 3', 'rename a', 'insert d 4']);
  assert.deepEqual(own.slice(4, 6).sort(), ['drop c', 'drop d']);
  assert.deepEqual(own.slice(6), ['dropDatabase everything', 'invalidate']);
  const all = (await take(ofAll, 8)).map(short);
  assert.deepEqual(all.slice(0, 5), ['insert a 1', 'insert b 2', 'insert c 3', 'rename a', 'insert d 4']);
  assert.equal(all[7], 'dropDatabase everything');
  await ofAll.close();
});

test('expanded events', async () => {
  const db = database(name());
  const stream = await open(db, [], { showExpandedEvents: true });
  const things = await db.createCollection('t');
  await things.createIndex({ a: 1 });
  await things.insertOne({ _id: 1 });
  await db.command({ collMod: 't', index: { keyPattern: { a: 1 }, hidden: true } });
  await things.dropIndex('a_1');
  await things.drop();
  const events = await take(stream, 6);
  assert.deepEqual(events.map((event) => event.operationType),
    ['create', 'createIndexes', 'insert', 'modify', 'dropIndexes', 'drop']);
  assert.ok(events.every((event) => event.collectionUUID.sub_type === 4));
  assert.deepEqual(events[0].operationDescription, { idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } });
  assert.deepEqual(events[1].operationDescription, { indexes: [{ v: 2, key: { a: 1 }, name: 'a_1' }] });
  assert.deepEqual(events[3].operationDescription, { index: { name: 'a_1', hidden: true } });
  assert.deepEqual(events[3].stateBeforeChange.indexOptions, { hidden: false });
  await stream.close();
});

test('a sharded collection is told in one order', async () => {
  const db = database(name());
  await db.command({ customAction: 'CreateCollection', collection: 's', shardKey: 'k', offerThroughput: 40_000 });
  const things = db.collection('s');
  const stream = await open(things);
  const expected = [];
  for (let i = 0; i < 60; ++i) {
    await things.insertOne({ _id: i, k: `key${i % 17}` });
    expected.push(i);
  }
  const events = await take(stream, 60);
  assert.deepEqual(events.map((event) => event.documentKey._id), expected);
  assert.deepEqual(Object.keys(events[0].documentKey), ['k', '_id']);
  await stream.close();
});

test('a waiting stream ends when it is closed', async () => {
  const things = database().collection(name());
  const stream = things.watch([], { maxAwaitTimeMS: 60_000 });
  const next = stream.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await stream.close();
  await assert.rejects(next);
});

test('GetChangeStreamTokens gives a token to begin with', async () => {
  const things = database().collection(name());
  await things.insertOne({ _id: 1 });
  const reply = await database().command({ customAction: 'GetChangeStreamTokens', collection: things.collectionName });
  assert.equal(reply.resumeAfterTokens.length, 1);
  await things.insertOne({ _id: 2 });
  const stream = things.watch([], { resumeAfter: reply.resumeAfterTokens[0] });
  assert.equal((await stream.next()).documentKey._id, 2);
  await stream.close();
});

test("Mongoose's watch", async () => {
  const { Mongoose } = require('mongoose');
  const mongoose = new Mongoose();
  await mongoose.connect(`mongodb://127.0.0.1:${fixture.server.port}/mongoose_streams`);
  const Order = mongoose.model('Order', new mongoose.Schema({ total: Number }));
  await Order.init();
  const stream = Order.watch([], { fullDocument: 'updateLookup', maxAwaitTimeMS: 500 });
  const changes = [];
  const three = new Promise((resolve) => stream.on('change', (change) => changes.push(change) === 3 && resolve()));
  await new Promise((resolve) => stream.once('ready', resolve));
  await new Promise((resolve) => setTimeout(resolve, 200)); // its driver opens the stream with the first read
  const order = await Order.create({ total: 1 });
  order.total = 2;
  await order.save();
  await order.deleteOne();
  await three;
  assert.deepEqual(changes.map((change) => change.operationType), ['insert', 'update', 'delete']);
  assert.equal(changes[1].fullDocument?.total ?? 2, 2);
  await stream.close();
  await mongoose.disconnect();
});
