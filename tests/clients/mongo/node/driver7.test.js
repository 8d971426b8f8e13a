// npm's mongodb 7 with its default settings: what applications do every day, and the errors that they handle.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Decimal128, Long, MongoServerError, ObjectId } = require('mongodb-7');
const { useServer } = require('./orrery_server');

const fixture = useServer('mongodb-7');
let number = 0;
const collection = () => fixture.client.db('driver7').collection(`c${++number}`);

test('documents go in and come back', async () => {
  const things = collection();
  const document = { _id: new ObjectId(), long: Long.fromString('9007199254740993'), decimal: Decimal128.fromString('1.10'), list: [1, { a: 2 }] };
  await things.insertOne(document);
  const found = await things.findOne({ _id: document._id }, { promoteLongs: false });
  assert.equal(found.long.toString(), '9007199254740993');
  assert.equal(found.decimal.toString(), '1.10');
  assert.deepEqual(found.list, document.list);
});

test('many documents in one insert, read in batches', async () => {
  const things = collection();
  await things.insertMany(Array.from({ length: 1500 }, (_, i) => ({ _id: i, n: i % 5 })));
  let count = 0;
  for await (const document of things.find({ n: 2 }).batchSize(50)) count += document.n / 2;
  assert.equal(count, 300);
});

test('updates, upserts and bulk writes', async () => {
  const things = collection();
  const result = await things.bulkWrite([
    { insertOne: { document: { _id: 1, n: 1 } } }, { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
    { updateOne: { filter: { _id: 2 }, update: { $set: { n: 7 } }, upsert: true } }, { deleteOne: { filter: { _id: 1 } } }]);
  assert.deepEqual([result.insertedCount, result.modifiedCount, result.upsertedCount, result.deletedCount], [1, 1, 1, 1]);
  const after = await things.findOneAndUpdate({ _id: 2 }, [{ $set: { m: { $add: ['$n', 1] } } }], { returnDocument: 'after' });
  assert.equal(after.m, 8);
});

test('errors have their codes', async () => {
  const things = collection();
  await things.insertOne({ _id: 1 });
  const isCode = (code) => (error) => error instanceof MongoServerError && error.code === code;
  await assert.rejects(things.insertOne({ _id: 1 }), isCode(11000));
  await assert.rejects(things.find({ a: { $nope: 1 } }).toArray(), isCode(2));
  await assert.rejects(things.updateOne({ _id: 1 }, { $set: { _id: 2 } }), isCode(66));
  await assert.rejects(things.aggregate([{ $nope: 1 }]).toArray(), isCode(40324));
  await assert.rejects(fixture.client.db('driver7').command({ nope: 1 }), isCode(59));
});

test('aggregations with a join', async () => {
  const orders = collection();
  const people = collection();
  await people.insertMany([{ _id: 1, name: 'Ada' }, { _id: 2, name: 'Bob' }]);
  await orders.insertMany([{ who: 1, total: 5 }, { who: 1, total: 7 }, { who: 2, total: 1 }]);
  const rows = await orders.aggregate([
    { $group: { _id: '$who', total: { $sum: '$total' } } }, { $sort: { total: -1 } },
    { $lookup: { from: people.collectionName, localField: '_id', foreignField: '_id', as: 'who' } },
    { $project: { _id: 0, total: 1, name: { $first: '$who.name' } } }]).toArray();
  assert.deepEqual(rows, [{ total: 12, name: 'Ada' }, { total: 1, name: 'Bob' }]);
});

test('plans of queries', async () => {
  const things = collection();
  await things.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i, a: i % 10 })));
  await things.createIndex({ a: 1 });
  const plan = await things.find({ a: 3 }).explain('executionStats');
  assert.equal(plan.queryPlanner.winningPlan.inputStage.indexName, 'a_1');
  assert.equal(plan.executionStats.nReturned, 10);
  const stages = (await things.aggregate([{ $match: { a: 1 } }, { $group: { _id: '$a' } }]).explain()).stages;
  assert.equal(stages[0].$cursor.queryPlanner.winningPlan.inputStage.stage, 'IXSCAN');
});
