// A server that goes away and comes back on the same ports and data.
'use strict';
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { test } = require('node:test');
const cassandra = require('cassandra-driver');
const { useServer } = require('./orrery_server');

const fixture = useServer('restarting');
const TRIES_MAX = 200;

async function whenConnected(execute) {
  for (let tries = 1; ; tries++) {
    try {
      return await execute();
    } catch (error) {
      if (!(error instanceof cassandra.errors.NoHostAvailableError) || tries === TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('a client goes on after a restart, with its prepared statements', async () => {
  const { client } = fixture;
  await client.execute('CREATE TABLE restarting.kept (k int PRIMARY KEY, v text)');
  const insert = 'INSERT INTO restarting.kept (k, v) VALUES (?, ?)';
  await client.execute(insert, [1, 'before'], { prepare: true });
  const down = once(client, 'hostDown');
  await fixture.server.stop();
  await down;
  await assert.rejects(client.execute('SELECT * FROM restarting.kept'), cassandra.errors.NoHostAvailableError);
  fixture.server = await fixture.server.startAgain();
  // Whether the driver tells that the host is up, or takes it for a new one, and when its pool has a connection,
  // depends on which of its connections comes back first.
  await whenConnected(() => client.execute(insert, [2, 'after'], { prepare: true }));
  const { rows } = await whenConnected(() => client.execute('SELECT v FROM restarting.kept'));
  assert.deepEqual(rows.map((row) => row.v).sort(), ['after', 'before']);
});
