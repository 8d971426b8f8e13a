// Testcontainers for Node with a plain container: npm install testcontainers; node --test
'use strict';
const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { GenericContainer, Wait } = require('testcontainers');

let orrery;

before(async () => {
  orrery = await new GenericContainer('orrery:latest')
    .withExposedPorts(8080, 8081, 27017)
    .withEnvironment({ ORRERY_AUTH: 'local', ORRERY_DATA: 'memory' })
    .withWaitStrategy(Wait.forHttp('/ready', 8080))
    .start();
});
after(() => orrery.stop());

test('health', async () => {
  const answer = await fetch(`http://${orrery.getHost()}:${orrery.getMappedPort(8081)}/_health`);
  assert.deepEqual(await answer.json(), { status: 'ok' });
  assert.ok(orrery.getMappedPort(27017) > 0);
});
