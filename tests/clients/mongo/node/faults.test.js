// MongoDB's driver meets faults on demand: retryable reads and writes, withTransaction, and what programs try again.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { MongoClient } = require('mongodb');
const { useFaultyServer } = require('../../faults/fault_server');

const fixture = useFaultyServer(prepare);
let client;
let documents;

async function prepare() {
  client = new MongoClient(fixture.ready.variables.MONGODB_URI);
  fixture.closing.push(() => client.close());
  await client.connect();
  documents = client.db('db').collection('c');
  await documents.insertOne({ _id: 1, n: 1 });
}

const read = async () => (await documents.findOne({ _id: 1 })).n;

test('the driver tries reads again after a time-out, a step-down, an unreachable host and a cut connection', async () => {
  for (const kind of [408, 410, 503, 'cut'])
    assert.deepEqual(await fixture.under(kind, { count: 1 }, read), { met: 1, result: 1 }, String(kind));
});

test('and writes, which happen once also when the answer was lost', async () => {
  for (const [index, kind] of [408, 410, 503, 'cut'].entries()) {
    for (const after of [false, true]) {
      await documents.updateOne({ _id: 1 }, { $set: { n: 0 } });
      const { met } = await fixture.under(kind, { count: 1, after, operation: 'update' },
        () => documents.updateOne({ _id: 1 }, { $inc: { n: 1 } }));
      assert.equal(met, 1, `${index} ${kind}`);
      assert.equal(await read(), 1, `${kind}, after: ${after}`);
    }
  }
  await documents.updateOne({ _id: 1 }, { $set: { n: 1 } });
});

test('a throttled command says when to come again', async () => {
  const { met } = await fixture.under(429, { count: 3, retryAfterMs: 7 }, async () => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        assert.equal(error.code, 16500);
        assert.ok(error.hasErrorLabel('RetryableError'));
        assert.match(error.message, /RetryAfterMs=7,/);
        await new Promise((resolve) => { setTimeout(resolve, 7); });
      }
    }
  });
  assert.equal(met, 3);
});

test('withTransaction begins again after a conflict, and commits again after a cut connection', async () => {
  const session = client.startSession();
  fixture.closing.push(() => session.endSession());
  let runs = 0;
  const conflict = await fixture.under(449, { count: 2, operation: 'write' }, () => session.withTransaction(async () => {
    runs += 1;
    await documents.updateOne({ _id: 1 }, { $inc: { n: 10 } }, { session });
  }));
  assert.equal(conflict.met, 2);
  assert.equal(runs, 3);
  assert.equal(await read(), 11);
  for (const after of [false, true]) {
    const commit = await fixture.under('cut', { count: 1, after, operation: 'commitTransaction' }, () => session.withTransaction(
      () => documents.updateOne({ _id: 1 }, { $inc: { n: 100 } }, { session })));
    assert.equal(commit.met, 1);
  }
  assert.equal(await read(), 211);
  await documents.updateOne({ _id: 1 }, { $set: { n: 1 } });
});

test('a code of its own', async () => {
  await fixture.under(503, { code: 11602, count: 1 }, async () => assert.equal(await read(), 1));
  await fixture.under(503, { code: 13, count: 1 }, () => assert.rejects(read(), (error) => error.code === 13));
});

test('late replies come', async () => {
  assert.deepEqual(await fixture.under('delay', { delayMs: 50, count: 1 }, read), { met: 1, result: 1 });
});
