// Databases, containers, throughput, ranges.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { refuses, useServer } = require('./orrery_server');

const fixture = useServer('containers');

test('databases', async () => {
  const { database, resource } = await fixture.client.databases.createIfNotExists({ id: 'db2' });
  assert.ok(resource._rid && resource._self && resource._etag && resource._ts);
  assert.equal((await fixture.client.databases.createIfNotExists({ id: 'db2' })).statusCode, 200);
  await refuses(fixture.client.databases.create({ id: 'db2' }), 409);
  const { resources } = await fixture.client.databases.readAll().fetchAll();
  assert.ok(resources.some((each) => each.id === 'db2'));
  const found = await fixture.client.databases.query(
    { query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: 'db2' }] }).fetchAll();
  assert.deepEqual(found.resources.map((each) => each.id), ['db2']);
  await database.delete();
  await refuses(fixture.client.database('db2').read(), 404);
});

test('20,000 RU/s are two ranges of the same size', async () => {
  const { database } = await fixture.client.databases.create({ id: 'db' });
  const { container } = await database.containers.create(
    { id: 'coll', partitionKey: { paths: ['/deviceId'], version: 2 } }, { offerThroughput: 20000 });
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  assert.deepEqual(resources.map((range) => [range.minInclusive, range.maxExclusive]),
    [['', '2' + '0'.repeat(31)], ['2' + '0'.repeat(31), 'FF']]);
  await container.items.create({ id: '1', deviceId: 'XMS-001-FE24C', temperature: 21 });
  assert.equal((await container.item('1', 'XMS-001-FE24C').read()).requestCharge, 1);
});

test('a container as it was defined', async () => {
  const definition = {
    id: 'defined',
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    defaultTtl: 1000,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] },
    indexingPolicy: {
      indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/big/*' }, { path: '/"_etag"/?' }],
      compositeIndexes: [[{ path: '/a', order: 'ascending' }, { path: '/b', order: 'descending' }]],
      spatialIndexes: [{ path: '/at/*', types: ['Point'] }] },
    computedProperties: [{ name: 'low', query: 'SELECT VALUE LOWER(c.x) FROM c' }],
    conflictResolutionPolicy: { mode: 'LastWriterWins', conflictResolutionPath: '/_ts' } };
  const { container, resource } = await fixture.database.containers.create(definition);
  for (const [name, value] of Object.entries(definition)) assert.deepEqual(resource[name], value, name);
  const replaced = await container.replace({ ...definition, defaultTtl: -1 });
  assert.equal(replaced.resource.defaultTtl, -1);
  await refuses(container.replace({ ...definition, partitionKey: { paths: ['/other'], version: 2 } }), 400);
  const { resources } = await fixture.database.containers.readAll().fetchAll();
  assert.ok(resources.some((each) => each.id === 'defined'));
});

test('unique keys', async () => {
  const container = await fixture.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] } });
  await container.items.create({ id: '1', pk: 'a', mail: 'x' });
  await refuses(container.items.create({ id: '2', pk: 'a', mail: 'x' }), 409);
  await container.items.create({ id: '2', pk: 'b', mail: 'x' });
});

test('an item that has lived its time is gone', async () => {
  const container = await fixture.container({ defaultTtl: -1 });
  await container.items.create({ id: '1', pk: 'a', ttl: 1 });
  await container.items.create({ id: '2', pk: 'a' });
  for (let looks = 0; looks < 1000; ++looks) {
    if ((await container.item('1', 'a').read()).statusCode === 404) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await container.item('1', 'a').read()).statusCode, 404);
  assert.equal((await container.item('2', 'a').read()).statusCode, 200);
});

test('offers', async () => {
  const container = await fixture.container({}, { offerThroughput: 1000 });
  const { offer, resource } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 1000);
  resource.content.offerThroughput = 2000;
  const replaced = await offer.replace(resource);
  assert.equal(replaced.resource.content.offerThroughput, 2000);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 2000);
  resource.content.offerThroughput = 10;
  await refuses(offer.replace(resource), 400);
  const { resources } = await fixture.client.offers.readAll().fetchAll();
  assert.ok(resources.some((each) => each.id === resource.id));
});

test('autoscale, and throughput that containers share', async () => {
  const container = await fixture.container({ maxThroughput: 4000 });
  const { resource } = await container.readOffer();
  assert.equal(resource.content.offerAutopilotSettings.maxThroughput, 4000);
  const { database } = await fixture.client.databases.create({ id: 'shared', throughput: 1000 });
  assert.equal((await database.readOffer()).resource.content.offerThroughput, 1000);
  const { container: guest } = await database.containers.create({ id: 'guest', partitionKey: { paths: ['/pk'] } });
  assert.equal((await guest.readOffer()).resource, undefined);
  assert.equal((await guest.items.create({ id: '1', pk: 'a' })).statusCode, 201);
});

test('bad requests', async () => {
  await refuses(fixture.database.containers.create({ id: 'x', partitionKey: { paths: ['a'] } }), 400);
  await refuses(fixture.database.container('none').items.create({ id: '1' }), 404);
  const stranger = fixture.connect({ key: Buffer.from('a'.repeat(64)).toString('base64') });
  await refuses(stranger.databases.readAll().fetchAll(), 401);
});

test('data outlives a restart, also for a client that is connected', async () => {
  const container = await fixture.container();
  await container.items.create({ id: '1', pk: 'a' });
  await fixture.server.stop();
  fixture.server = await fixture.server.startAgain();
  assert.equal((await container.item('1', 'a').read()).resource?.id, '1');
});
