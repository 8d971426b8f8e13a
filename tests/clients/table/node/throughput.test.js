// Throughput by headers, as docs/apis/table.md shows it, and what the client does when a table has no more of it.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { useServer } = require('./orrery_server');

// With 400 RU/s a few of these exceed what a second has.
const TEXT = 'x'.repeat(30_000);
const INSERTS_MAX = 500;
const INSERTS_AFTER = 3;

const fixture = useServer();

// The client has no argument for headers: a policy adds them.
async function tableWith(name, headers) {
  const maker = fixture.client(name);
  maker.pipeline.addPolicy({
    name: 'headers',
    sendRequest(request, next) {
      for (const [header, value] of Object.entries(headers)) request.headers.set(header, value);
      return next(request);
    },
  });
  await maker.createTable();
}

test('a table is created if it does not exist, with 800 RU/s, and Smith, Ben is retrieved', async () => {
  for (let i = 0; i < 2; i += 1) await tableWith('People', { 'x-ms-offer-throughput': '800' });
  const people = fixture.client('People');
  await people.createEntity({ partitionKey: 'Smith', rowKey: 'Ben', email: 'Ben@contoso.com' });
  let charge;
  const ben = await people.getEntity('Smith', 'Ben', {
    onResponse: (response) => { charge = Number(response.headers.get('x-ms-request-charge')); },
  });
  assert.equal(ben.email, 'Ben@contoso.com');
  assert.equal(charge, 1);
});

test('the client waits as long as it is told when a table has no throughput left', async () => {
  await tableWith('Metered', { 'x-ms-offer-throughput': '400' });
  const refused = [];
  const table = fixture.client('Metered');
  table.pipeline.addPolicy({
    name: 'refusals',
    async sendRequest(request, next) {
      const response = await next(request);
      if (response.status === 429) refused.push(response.headers.get('retry-after'));
      return response;
    },
  }, { afterPhase: 'Retry' });
  let written = 0;
  for (let after = 0; after < INSERTS_AFTER && written < INSERTS_MAX; written += 1) {
    await table.createEntity({ partitionKey: 'p', rowKey: String(written), text: TEXT });
    if (refused.length > 0) after += 1;
  }
  assert.ok(refused.length > 0, `nothing was refused among ${written} inserts`);
  assert.ok(refused.every((seconds) => Number(seconds) >= 1), String(refused));
});
