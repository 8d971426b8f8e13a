// @azure/cosmos meets faults on demand: what it tries again by itself, and what programs must.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { CosmosClient } = require('@azure/cosmos');
const { useFaultyServer } = require('../../faults/fault_server');

const fixture = useFaultyServer(prepare);
let container;

async function prepare() {
  const client = new CosmosClient({ endpoint: fixture.ready.variables.COSMOS_ENDPOINT, key: fixture.ready.key });
  fixture.closing.push(async () => client.dispose());
  const { database } = await client.databases.createIfNotExists({ id: 'db' });
  ({ container } = await database.containers.createIfNotExists({ id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }));
  await container.items.create({ id: '1', pk: 'p', n: 1 });
}

const read = async () => (await container.item('1', 'p').read()).resource.n;
const query = async () => (await container.items.query('SELECT VALUE c.n FROM c', { partitionKey: 'p' }).fetchAll()).resources;

test('throttled requests are tried again by the client', async () => {
  const reads = await fixture.under(429, { count: 4, retryAfterMs: 5 }, read);
  assert.deepEqual(reads, { met: 4, result: 1 });
  const queries = await fixture.under(429, { count: 4, retryAfterMs: 5, operation: 'query' }, query);
  assert.deepEqual(queries, { met: 4, result: [1] });
  const writes = await fixture.under(429, { count: 4, retryAfterMs: 5 },
    async () => (await container.items.upsert({ id: '2', pk: 'w', n: 2 })).resource.n);
  assert.deepEqual(writes, { met: 4, result: 2 });
});

test('a client that gives up after so many retries says 429', async () => {
  await fixture.under(429, { retryAfterMs: 1 }, async () => {
    await assert.rejects(read(), (error) => error.code === 429);
    // The first and nine more.
    assert.equal(await fixture.made(), 10);
  });
});

test('a query whose partition has split, but has no others in its place, ends; the next one works', async () => {
  const ask = async () => (await container.items.query('SELECT VALUE c.n FROM c WHERE c.n = 1').fetchAll()).resources;
  await fixture.under(410, { count: 1, operation: 'query' }, async () => {
    await assert.rejects(ask(), /partition split/);
    assert.equal(await fixture.made(), 1);
    assert.deepEqual(await ask(), [1]);
  });
});

test('reads are tried again after a cut connection', async () => {
  assert.deepEqual(await fixture.under('cut', { count: 1 }, read), { met: 1, result: 1 });
});

test('what the client leaves to programs has its own code, and works the second time', async () => {
  for (const code of [408, 449, 503]) {
    const seen = [];
    const { result } = await fixture.under(code, { count: 1, operation: 'write' }, async () => {
      for (;;) {
        try {
          return (await container.items.upsert({ id: `w${code}`, pk: 'p', n: code })).resource.n;
        } catch (error) {
          seen.push(error.code);
        }
      }
    });
    assert.equal(result, code);
    assert.ok(seen.length <= 1 && seen.every((each) => each === code), String(seen));
  }
});

test('a write whose answer was lost has happened', async () => {
  const create = () => container.items.create({ id: 'once', pk: 'p', n: 5 });
  await fixture.under('cut', { after: true, count: 1, operation: 'create' }, async () => {
    await assert.rejects(create());
    assert.equal(await fixture.made(), 1);
  });
  await assert.rejects(create(), (error) => error.code === 409);
});

test('late answers come', async () => {
  assert.deepEqual(await fixture.under('delay', { delayMs: 50, count: 1 }, read), { met: 1, result: 1 });
});
