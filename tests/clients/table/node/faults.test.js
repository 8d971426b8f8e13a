// @azure/data-tables meets faults on demand.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { TableClient } = require('@azure/data-tables');
const { useFaultyServer } = require('../../faults/fault_server');

const fixture = useFaultyServer(prepare);
let table;

async function prepare() {
  table = TableClient.fromConnectionString(fixture.ready.variables.AZURE_TABLES_CONNECTION_STRING, 'People',
    { allowInsecureConnection: true, retryOptions: { retryDelayInMs: 1, maxRetryDelayInMs: 5, maxRetries: 3 } });
  await table.createTable();
  await table.createEntity({ partitionKey: 'p', rowKey: '1', n: 1 });
}

const read = async () => (await table.getEntity('p', '1')).n;

test('the client tries again after every status', async () => {
  for (const kind of [429, 408, 410, 449, 503])
    assert.deepEqual(await fixture.under(kind, { count: 2, retryAfterMs: 2 }, read), { met: 2, result: 1 }, String(kind));
  for (const kind of [429, 503]) {
    const written = await fixture.under(kind, { count: 2, retryAfterMs: 2 },
      () => table.upsertEntity({ partitionKey: 'p', rowKey: '2', n: 2 }));
    assert.equal(written.met, 2);
  }
});

test('and after a cut connection', async () => {
  assert.deepEqual(await fixture.under('cut', { count: 1 }, read), { met: 1, result: 1 });
});

test('then it gives up, with the code of the service', async () => {
  await fixture.under(503, {}, async () => {
    await assert.rejects(read(), (error) => error.statusCode === 503 && error.details.odataError.code === 'ServerBusy');
    assert.equal(await fixture.made(), 4);
  });
  await fixture.under(429, { retryAfterMs: 2 }, async () => {
    await assert.rejects(read(), (error) => error.statusCode === 429 && error.details.odataError.code === 'TooManyRequests');
  });
});

test('an insert whose answer was lost is found to have happened', async () => {
  await fixture.under(503, { count: 1, after: true, operation: 'InsertEntity' }, async () => {
    await assert.rejects(table.createEntity({ partitionKey: 'p', rowKey: '3' }), (error) => error.statusCode === 409);
  });
});

test('late answers come', async () => {
  assert.deepEqual(await fixture.under('delay', { delayMs: 50, count: 1 }, read), { met: 1, result: 1 });
});
