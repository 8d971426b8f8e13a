// What takes queries over documents. Not a suite yet: rename to queries.test.js when the server has them.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { useServer } = require('./orrery_server');

const fixture = useServer('queries');

async function filled(options = {}) {
  const container = await fixture.container({}, { offerThroughput: 20000, ...options });
  for (let i = 0; i < 40; ++i) await container.items.create({ id: String(i), pk: `k${i % 8}`, n: i, tags: [i % 2 ? 'odd' : 'even'] });
  return container;
}

test('one partition', async () => {
  const container = await filled();
  const { resources, requestCharge } = await container.items.query(
    { query: 'SELECT VALUE c.n FROM c WHERE c.n > @n', parameters: [{ name: '@n', value: 20 }] }, { partitionKey: 'k1' }).fetchAll();
  assert.deepEqual(resources.sort((a, b) => a - b), [25, 33]);
  assert.ok(requestCharge > 0);
});

test('all partitions, in order, in pages', async () => {
  const container = await filled();
  const { resources } = await container.items.query('SELECT VALUE c.n FROM c ORDER BY c.n DESC', { maxItemCount: 7 }).fetchAll();
  assert.deepEqual(resources, Array.from({ length: 40 }, (_, i) => 39 - i));
  const planned = await container.items.query('SELECT VALUE c.n FROM c ORDER BY c.n', { forceQueryPlan: true }).fetchAll();
  assert.deepEqual(planned.resources, Array.from({ length: 40 }, (_, i) => i));
});

test('aggregates, groups, distinct values, joins', async () => {
  const container = await filled();
  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
  for (const options of [{}, { forceQueryPlan: true }]) {
    assert.deepEqual(await rows('SELECT VALUE COUNT(1) FROM c', options), [40]);
    assert.deepEqual(await rows('SELECT VALUE AVG(c.n) FROM c', options), [19.5]);
    assert.equal((await rows('SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk', options)).length, 8);
    assert.equal((await rows('SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags', options)).length, 2);
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3', options), [5, 6, 7]);
  }
});

test('readAll', async () => {
  const container = await filled();
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 40);
});
