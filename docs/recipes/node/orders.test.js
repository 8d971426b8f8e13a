'use strict';
// node --test
const { after, before, beforeEach, test } = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const orrery = require('orrery');

let server;

const admin = async (method, call, body) => {
  const answer = await fetch(`${server.variables.ORRERY_URL}_admin/v1/${call}`, {
    method, body, headers: { authorization: `Bearer ${server.key}` } });
  assert.ok(answer.ok, `${call}: ${answer.status}`);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
};
const items = 'databases/shop/containers/orders/items';
const count = async () => (await admin('POST', 'databases/shop/containers/orders/scan', '{}')).items.length;

before(async () => {
  server = await orrery.start({ seed: path.join(__dirname, 'seed'), allowReset: true });
  await admin('PUT', 'snapshots/seeded');
});
beforeEach(() => admin('POST', 'snapshots/seeded/restore'));
after(() => server.stop());

test('adding', async () => {
  await admin('POST', items, JSON.stringify({ id: '3', customer: 'cy' }));
  assert.strictEqual(await count(), 3);
});

test('two again, whatever ran before', async () => {
  assert.strictEqual(await count(), 2);
});
