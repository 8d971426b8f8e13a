// What clients see of request units: the throughput that a container has by itself, and how the client waits.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { refuses, useServer } = require('./orrery_server');

const fixture = useServer('throttling', { defaultThroughput: 400 });

test('a container without throughput has 400 RU/s, which can be changed', async () => {
  const container = await fixture.container();
  const { offer, resource } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 400);
  resource.content.offerThroughput = 1000;
  await offer.replace(resource);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 1000);
  resource.content.offerThroughput = 20000;
  await refuses(offer.replace(resource), 400);
});

test('a client that does not wait is told to, one that does gets through', async () => {
  const container = await fixture.container();
  const impatient = fixture.connect({ connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } })
    .database(fixture.database.id).container(container.id);
  const create = (each, id) => each.items.create({ id: String(id), pk: 'a' });
  let refused;
  for (let id = 0; id < 1000 && !refused; ++id) await create(impatient, id).catch((error) => { refused = error; });
  assert.equal(refused?.code, 429);
  assert.ok(refused.retryAfterInMs > 0);
  assert.equal((await create(container, 'patient')).statusCode, 201);
});
