// How drivers watch the server: one hello that is answered again and again.
'use strict';
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { test } = require('node:test');
const { MongoClient } = require('mongodb');
const { useServer } = require('./orrery_server');

const fixture = useServer();

for (const serverMonitoringMode of ['stream', 'auto']) {
  test(`heartbeats are a stream (${serverMonitoringMode})`, async () => {
    const client = new MongoClient(`mongodb://127.0.0.1:${fixture.server.port}/`,
      { heartbeatFrequencyMS: 500, serverMonitoringMode });
    const failures = [];
    client.on('serverHeartbeatFailed', (event) => failures.push(event.failure));
    let awaited = 0;
    client.on('serverHeartbeatSucceeded', (event) => { if (event.awaited) ++awaited; });
    await client.connect();
    while (awaited < 3) await once(client, 'serverHeartbeatSucceeded');
    assert.deepEqual(failures, []);
    assert.equal((await client.db('admin').command({ ping: 1 })).ok, 1);
    await client.close();
  });
}

test('a client that polls is answered at once', async () => {
  const client = new MongoClient(`mongodb://127.0.0.1:${fixture.server.port}/`,
    { heartbeatFrequencyMS: 500, serverMonitoringMode: 'poll' });
  let polled = 0;
  client.on('serverHeartbeatSucceeded', (event) => { if (!event.awaited) ++polled; });
  await client.connect();
  while (polled < 2) await once(client, 'serverHeartbeatSucceeded');
  await client.close();
});
