// Transactions with the driver's own helper, and what programs do around them.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { useServer } = require('./orrery_server');

const fixture = useServer();
let number = 0;
const collection = (database = 'bank') => fixture.client.db(database).collection(`c${++number}`);

async function withSession(work, options) {
  const session = fixture.client.startSession(options);
  try {
    return await work(session);
  } finally {
    await session.endSession();
  }
}

test('withTransaction changes several collections and databases at once', async () => {
  const accounts = collection();
  const journal = collection('other');
  await accounts.insertMany([{ _id: 'a', balance: 100 }, { _id: 'b', balance: 0 }]);
  await withSession(async (session) => {
    await session.withTransaction(async () => {
      await accounts.updateOne({ _id: 'a' }, { $inc: { balance: -30 } }, { session });
      await accounts.updateOne({ _id: 'b' }, { $inc: { balance: 30 } }, { session });
      await journal.insertOne({ from: 'a', to: 'b', amount: 30 }, { session });
      const [sum] = await accounts.aggregate([{ $group: { _id: null, n: { $sum: '$balance' } } }], { session }).toArray();
      assert.equal(sum.n, 100);
      assert.equal((await accounts.findOne({ _id: 'a' }, { session })).balance, 70);
      // Others see nothing of it yet.
      assert.equal((await accounts.findOne({ _id: 'a' })).balance, 100);
    });
  });
  assert.deepEqual(await accounts.find().sort({ _id: 1 }).toArray(), [{ _id: 'a', balance: 70 }, { _id: 'b', balance: 30 }]);
  assert.equal(await journal.countDocuments(), 1);
});

test('an error inside takes all back', async () => {
  const things = collection();
  await things.insertOne({ _id: 1 });
  await withSession(async (session) => {
    await assert.rejects(session.withTransaction(async () => {
      await things.insertOne({ _id: 2 }, { session });
      throw new Error('changed my mind');
    }), /changed my mind/);
    await assert.rejects(session.withTransaction(async () => {
      await things.insertOne({ _id: 3 }, { session });
      await things.insertOne({ _id: 1 }, { session });
    }), (error) => error.code === 11000);
  });
  assert.deepEqual(await things.find().toArray(), [{ _id: 1 }]);
});

test('concurrent increments are all counted, because the helper begins anew after a conflict', async () => {
  const things = collection();
  await things.insertMany([{ _id: 1, n: 0 }, { _id: 2, n: 0 }]);
  await Promise.all(Array.from({ length: 6 }, () => withSession(async (session) => {
    for (let i = 0; i < 5; ++i) {
      await session.withTransaction(async () => {
        const { n } = await things.findOne({ _id: 1 }, { session });
        await things.updateOne({ _id: 1 }, { $set: { n: n + 1 } }, { session });
        await things.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session });
      });
    }
  })));
  assert.deepEqual(await things.find().sort({ _id: 1 }).toArray(), [{ _id: 1, n: 30 }, { _id: 2, n: 30 }]);
});

test('documents of several shards change together', async () => {
  const things = collection();
  await fixture.client.db('admin').command({ shardCollection: things.namespace, key: { k: 'hashed' } });
  await things.insertMany(Array.from({ length: 40 }, (_, i) => ({ _id: i, k: i, n: 10 })));
  await withSession(async (session) => {
    await session.withTransaction(async () => {
      await things.updateMany({ k: { $lt: 20 } }, { $inc: { n: -1 } }, { session });
      await things.updateMany({ k: { $gte: 20 } }, { $inc: { n: 1 } }, { session });
      await things.deleteOne({ k: 0 }, { session });
    });
  });
  const [sum] = await things.aggregate([{ $group: { _id: null, n: { $sum: '$n' }, count: { $sum: 1 } } }]).toArray();
  assert.deepEqual(sum, { _id: null, n: 391, count: 39 });
});

test('a write outside waits for the transaction that has the document', async () => {
  const things = collection();
  await things.insertOne({ _id: 1, n: 0 });
  await withSession(async (session) => {
    session.startTransaction();
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    let done = false;
    const outside = things.updateOne({ _id: 1 }, { $inc: { n: 10 } }).then(() => { done = true; });
    await things.insertOne({ _id: 2 });
    assert.equal(done, false);
    await session.commitTransaction();
    await outside;
  });
  assert.equal((await things.findOne({ _id: 1 })).n, 11);
});

test('statements at once, a repeated commit, cursors and findAndModify', async () => {
  const things = collection();
  await things.insertMany(Array.from({ length: 250 }, (_, i) => ({ _id: i })));
  await withSession(async (session) => {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    await things.findOne({}, { session });
    await Promise.all([1001, 1002, 1003].map((_id) => things.insertOne({ _id }, { session })));
    await things.deleteOne({ _id: 200 });
    assert.equal((await things.find({}, { session, batchSize: 20 }).toArray()).length, 253);
    assert.equal(await things.countDocuments({ _id: { $gt: 1000 } }, { session }), 3);
    assert.deepEqual(await things.findOneAndUpdate({ _id: 1001 }, { $set: { a: 1 } }, { session, returnDocument: 'after' }), { _id: 1001, a: 1 });
    await session.commitTransaction();
    await session.commitTransaction();
  });
  assert.equal(await things.countDocuments(), 252);
});

test('sessions are causally consistent, and snapshot sessions see one moment', async () => {
  const things = collection();
  await withSession(async (session) => {
    await things.insertOne({ _id: 1 }, { session });
    assert.ok(session.operationTime);
    assert.ok(session.clusterTime);
    assert.deepEqual(await things.findOne({}, { session }), { _id: 1 });
  }, { causalConsistency: true });
  await withSession(async (session) => {
    assert.equal((await things.find({}, { session }).toArray()).length, 1);
    await things.insertOne({ _id: 2 });
    assert.equal((await things.find({}, { session }).toArray()).length, 1);
    assert.equal((await things.distinct('_id', {}, { session })).length, 1);
  }, { snapshot: true });
  assert.equal(await things.countDocuments(), 2);
});
