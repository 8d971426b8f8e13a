// npm's cassandra-driver on a whole cluster, as applications have it: one client, all nodes.
'use strict';
const assert = require('node:assert/strict');
const { after, test } = require('node:test');
const { ADDRESSES, REPLICATION, connect, eventually } = require('./cluster');

const clients = [];
after(async () => { await Promise.all(clients.map((client) => client.shutdown())); });
const open = async (...all) => {
  const client = await connect(...all);
  clients.push(client);
  return client;
};

test('one client works on all nodes', async () => {
  const client = await open();
  assert.equal(client.hosts.length, 3);
  await client.execute(`CREATE KEYSPACE node_all ${REPLICATION}`);
  await client.execute('CREATE TABLE node_all.t (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 30000');
  const asked = new Set();
  for (let k = 0; k < 60; ++k) {
    const done = await client.execute('INSERT INTO node_all.t (k, v) VALUES (?, ?)', [k, `v${k}`], { prepare: true });
    asked.add(done.info.queriedHost);
  }
  assert.equal(asked.size, 3);
  for (let k = 0; k < 60; ++k) {
    const { rows } = await client.execute('SELECT v FROM node_all.t WHERE k = ?', [k], { prepare: true });
    assert.equal(rows[0].v, `v${k}`);
  }
  const found = new Set();
  for await (const row of await client.execute('SELECT k FROM node_all.t', [], { prepare: true, fetchSize: 7 }))
    found.add(row.k);
  assert.equal(found.size, 60);
});

test('the schema is told by every node', async () => {
  const [maker, ...others] = await Promise.all(ADDRESSES.map((address) => open([address])));
  await maker.execute(`CREATE KEYSPACE node_told ${REPLICATION}`);
  await maker.execute('CREATE TABLE node_told.t (k int PRIMARY KEY, a int)');
  // The driver forgets a keyspace's event when one of the ring comes within the same second.
  let durable = true;
  await eventually(async () => {
    if (others.every((other) => 'node_told' in other.metadata.keyspaces)) return true;
    durable = !durable;
    await maker.execute(`ALTER KEYSPACE node_told WITH durable_writes = ${durable}`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return false;
  });
  const select = (client) => client.execute('SELECT * FROM node_told.t WHERE k = ?', [1], { prepare: true });
  await maker.execute('INSERT INTO node_told.t (k, a) VALUES (1, 1)');
  for (const other of others) assert.deepEqual((await select(other)).first().keys(), ['k', 'a']);
  await maker.execute('ALTER TABLE node_told.t ADD b int');
  await maker.execute('UPDATE node_told.t SET b = 2 WHERE k = 1');
  for (const other of others) assert.equal((await select(other)).first().b, 2);
});
