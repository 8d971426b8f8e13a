// A node is killed while a client of npm's cassandra-driver works: it goes on by its own policies.
'use strict';
const assert = require('node:assert/strict');
const { after, test } = require('node:test');
const { PIDS, REPLICATION, connect, eventually } = require('./cluster');

let client;
after(async () => { await client?.shutdown(); });

test('a client goes on when a node dies', async () => {
  client = await connect(undefined, true);
  await client.execute(`CREATE KEYSPACE killed ${REPLICATION}`);
  await client.execute('CREATE TABLE killed.t (k int PRIMARY KEY, v int) WITH cosmosdb_provisioned_throughput = 30000');
  const acknowledged = [];
  let failed = 0;
  const write = async (k) => {
    // An application tries again what it may: the statement is the same each time.
    for (;;) {
      try {
        await client.execute('INSERT INTO killed.t (k, v) VALUES (?, ?)', [k, k], { prepare: true, isIdempotent: true });
        return acknowledged.push(k);
      } catch (error) {
        ++failed;
        if (failed > 2000) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  for (let k = 0; k < 40; ++k) await write(k);
  process.kill(PIDS[2], 'SIGKILL');
  for (let k = 40; k < 120; ++k) await write(k);
  for (const k of acknowledged) {
    const { rows } = await client.execute('SELECT v FROM killed.t WHERE k = ?', [k], { prepare: true, isIdempotent: true });
    assert.equal(rows[0]?.v, k);
  }
  await eventually(() => client.hosts.values().filter((host) => host.isUp()).length === 2);
  // And the schema can be changed.
  await client.execute('ALTER TABLE killed.t ADD w int');
  assert.equal(acknowledged.length, 120);
});
