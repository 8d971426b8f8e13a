// Sessions and retryable writes, with the driver's own defaults.
'use strict';
const assert = require('node:assert/strict');
const net = require('node:net');
const { test } = require('node:test');
const { MongoClient } = require('mongodb');
const { useServer } = require('./orrery_server');

const fixture = useServer();
let number = 0;
const name = () => `c${++number}`;

// Stands between client and server. While armed it loses the next reply to a write, with the connection.
async function lossyProxy(port) {
  const proxy = { lost: 0, armed: false };
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    let losing = false;
    client.on('data', (bytes) => {
      if (proxy.armed && bytes.includes('txnNumber')) {
        proxy.armed = false;
        losing = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!losing) return client.write(bytes);
      ++proxy.lost;
      client.destroy();
      upstream.destroy();
    });
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.port = server.address().port;
  proxy.close = () => server.close();
  return proxy;
}

test('drivers send sessions and numbers by default', async () => {
  const client = new MongoClient(`mongodb://127.0.0.1:${fixture.server.port}/`, { monitorCommands: true });
  const sent = [];
  client.on('commandStarted', (event) => sent.push(event.command));
  const things = client.db('sessions').collection(name());
  await things.insertMany([{ _id: 1, n: 0 }, { _id: 2, n: 0 }]);
  await things.updateOne({ _id: 1 }, { $inc: { n: 1 } });
  await things.updateMany({}, { $inc: { n: 1 } });
  await things.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } });
  await things.deleteOne({ n: 99 });
  const found = await things.find().sort({ _id: 1 }).toArray();
  assert.deepEqual(found, [{ _id: 1, n: 2 }, { _id: 2, n: 2 }]);
  await client.close();
  const numbered = sent.filter((command) => command.txnNumber !== undefined).map((command) => Object.keys(command)[0]);
  assert.deepEqual(numbered, ['insert', 'update', 'findAndModify', 'delete']);
  assert.ok(sent.filter((command) => command.find || command.update).every((command) => command.lsid));
});

test('a write whose reply is lost is repeated by the driver, and made once', async () => {
  const proxy = await lossyProxy(fixture.server.port);
  const client = new MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`, { monitorCommands: true });
  const failed = [];
  client.on('commandFailed', (event) => failed.push(event.commandName));
  const things = client.db('sessions').collection(name());
  await things.insertOne({ _id: 0 });
  const lossy = async (write) => {
    proxy.armed = true;
    const lost = proxy.lost;
    const result = await write();
    assert.equal(proxy.lost, lost + 1);
    return result;
  };
  assert.equal((await lossy(() => things.insertMany([{ _id: 1, n: 0, a: 1 }, { _id: 2, n: 0, a: 2 }]))).insertedCount, 2);
  assert.equal((await lossy(() => things.updateOne({ _id: 1 }, { $inc: { n: 1 } }))).modifiedCount, 1);
  // The first run makes the filter match no more.
  assert.equal((await lossy(() => things.updateOne({ a: 2 }, { $set: { a: 3 }, $inc: { n: 1 } }))).modifiedCount, 1);
  const upsert = await lossy(() => things.updateOne({ b: 1 }, { $inc: { n: 1 } }, { upsert: true }));
  assert.equal(upsert.upsertedCount, 1);
  assert.deepEqual(await things.findOne({ b: 1 }), { _id: upsert.upsertedId, b: 1, n: 1 });
  const before = await lossy(() => things.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } }));
  assert.equal(before.n, 1);
  const gone = await lossy(() => things.findOneAndDelete({ a: 3 }));
  assert.equal(gone._id, 2);
  assert.equal((await lossy(() => things.deleteOne({ _id: 0 }))).deletedCount, 1);
  const bulk = await lossy(() => things.bulkWrite([
    { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 10 } } } },
    { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 100 } } } }]));
  assert.equal(bulk.modifiedCount, 2);
  assert.equal((await things.findOne({ _id: 1 })).n, 112);
  assert.equal(await things.countDocuments(), 2);
  assert.equal(failed.length, 8);
  await client.close();
  proxy.close();
});

test('writes without a shard key are made once in sharded collections', async () => {
  const collection = name();
  await fixture.client.db('admin').command({ shardCollection: `sessions.${collection}`, key: { k: 'hashed' } });
  const proxy = await lossyProxy(fixture.server.port);
  const client = new MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
  const things = client.db('sessions').collection(collection);
  await things.insertMany([{ _id: 1, k: 1, a: 1 }, { _id: 2, k: 2, a: 1 }]);
  proxy.armed = true;
  assert.equal((await things.updateOne({ a: 1 }, { $set: { a: 2 } })).modifiedCount, 1);
  assert.equal(proxy.lost, 1);
  assert.equal(await things.countDocuments({ a: 2 }), 1);
  await client.close();
  proxy.close();
});

test('explicit sessions', async () => {
  const things = fixture.client.db('sessions').collection(name());
  await fixture.client.withSession({ causalConsistency: true }, async (session) => {
    await things.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }], { session });
    assert.equal((await things.find({}, { session, batchSize: 1 }).toArray()).length, 3);
    const cursor = things.find({}, { session, batchSize: 1 });
    await cursor.next();
    await fixture.client.db('admin').command({ killSessions: [session.id] });
    await assert.rejects(async () => { await cursor.next(); await cursor.next(); }, (error) => error.code === 43);
  });
});
