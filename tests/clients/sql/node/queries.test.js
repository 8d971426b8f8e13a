// Queries over documents: answered by the server, and merged by the client from plans.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { refuses, useServer } = require('./orrery_server');

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

test('a partition key goes on where a query of all keys was', async () => {
  const container = await filled();
  for (const query of ['SELECT VALUE c.n FROM c', 'SELECT VALUE c.n FROM c WHERE c.n < 35', 'SELECT VALUE c.n FROM c ORDER BY c.n']) {
    const all = (await container.items.query(query).fetchAll()).resources;
    const first = await container.items.query(query, { maxItemCount: 11 }).fetchNext();
    const seen = [...first.resources];
    assert.ok(first.continuationToken);
    for (let key = 0; key < 8; ++key) {
      let continuationToken = first.continuationToken;
      for (let page = 0; continuationToken && page < 40; ++page) {
        const answer = await container.items.query(query, { partitionKey: `k${key}`, maxItemCount: 2, continuationToken }).fetchNext();
        seen.push(...(answer.resources ?? []));
        ({ continuationToken } = answer);
      }
    }
    assert.deepEqual(seen.sort((a, b) => a - b), all.sort((a, b) => a - b), query);
  }
  const distinct = 'SELECT DISTINCT VALUE c.n FROM c';
  const { continuationToken } = await container.items.query(distinct, { maxItemCount: 5 }).fetchNext();
  await refuses(container.items.query(distinct, { partitionKey: 'k1', continuationToken }).fetchNext(), 400);
});

test('readAll', async () => {
  const container = await filled();
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 40);
});

test('pages go on after a restart and a split', async () => {
  const container = await filled();
  const query = 'SELECT VALUE c.n FROM c ORDER BY c.n';
  let token;
  const seen = [];
  for (let page = 0; page < 20; ++page) {
    const answer = await container.items.query(query, { maxItemCount: 9, continuationToken: token }).fetchNext();
    seen.push(...answer.resources);
    token = answer.continuationToken;
    if (!token) break;
    if (page === 0) {
      await fixture.server.stop();
      fixture.server = await fixture.server.startAgain();
    }
    if (page === 1) {
      const { partitions } = await fixture.server.admin('GET', `/partitions?database=queries&container=${container.id}`);
      await fixture.server.admin('POST', `/partitions/${partitions[0].id}/split`);
    }
  }
  assert.deepEqual(seen, Array.from({ length: 40 }, (_, i) => i));
});

// The client merges partitions and goes on from its own token: with a narrower WHERE, and without what it has had by value and _rid.
test('pages that the client merges go on, also between equal values', async () => {
  const container = await filled();
  const expected = Array.from({ length: 40 }, (_, i) => String(i)).sort();
  for (const query of ['SELECT c.id, c.tags[0] AS v FROM c ORDER BY c.tags[0]', 'SELECT c.id, c.pk AS v FROM c ORDER BY c.pk DESC', 'SELECT c.id, c.n AS v FROM c ORDER BY c.n']) {
    const seen = [];
    let token;
    for (let page = 0; page < 50; ++page) {
      const pages = container.items.query(query, { maxItemCount: 7, enableQueryControl: true, forceQueryPlan: true, continuationToken: token });
      const answer = await pages.fetchNext();
      seen.push(...answer.resources ?? []);
      token = answer.continuationToken ?? (pages.hasMoreResults() ? token : undefined);
      if (!token) break;
    }
    assert.deepEqual(seen.map(row => row.id).sort(), expected, query);
    const values = seen.map(row => row.v);
    if (query.endsWith('DESC')) values.reverse();
    assert.deepEqual(values, values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)), query);
  }
});

test('the first values of a hierarchical key', async () => {
  const container = await fixture.container(
    { partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } }, { offerThroughput: 20000 });
  for (let i = 0; i < 12; ++i)
    await container.items.create({ id: String(i), tenant: `t${i % 2}`, user: `u${i % 3}` });
  const count = async (partitionKey) => (await container.items.query(
    'SELECT VALUE COUNT(1) FROM c', { partitionKey }).fetchAll()).resources[0];
  assert.equal(await count(['t0']), 6);
  assert.equal(await count(['t0', 'u1']), 2);
});

test('computed properties', async () => {
  const computedProperties = [{ name: 'cp_half', query: 'SELECT VALUE c.n / 2 FROM c' }];
  const container = await fixture.container({ computedProperties }, { offerThroughput: 20000 });
  for (let i = 0; i < 10; ++i) await container.items.create({ id: String(i), pk: `k${i % 4}`, n: i });
  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
  for (const options of [{}, { forceQueryPlan: true }]) {
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c WHERE c.cp_half >= 3 ORDER BY c.cp_half DESC', options), [9, 8, 7, 6]);
    assert.deepEqual(await rows('SELECT VALUE SUM(c.cp_half) FROM c', options), [22.5]);
  }
  assert.equal((await rows("SELECT * FROM c WHERE c.id = '3'"))[0].cp_half, undefined);
  assert.deepEqual((await container.read()).resource.computedProperties, computedProperties);
  const wrong = [{ name: 'cp_x', query: 'SELECT VALUE RAND() FROM c' }];
  await refuses(container.replace({ ...(await container.read()).resource, computedProperties: wrong }), 400);
});

test('composite indexes', async () => {
  const indexingPolicy = { indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/*' }], excludedPaths: [],
    compositeIndexes: [[{ path: '/group', order: 'ascending' }, { path: '/n', order: 'ascending' }]] };
  const container = await fixture.container({ indexingPolicy }, { offerThroughput: 20000 });
  for (let i = 0; i < 40; ++i) await container.items.create({ id: String(i), pk: `k${i % 8}`, group: i % 4, n: i });
  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
  const ordered = Array.from({ length: 40 }, (_, i) => (i % 10) * 4 + Math.floor(i / 10));
  for (const options of [{}, { maxItemCount: 7 }, { forceQueryPlan: true }]) {
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.group, c.n', options), ordered);
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.group DESC, c.n DESC', options), ordered.toReversed());
  }
  assert.deepEqual(await rows('SELECT TOP 2 VALUE c.n FROM c WHERE c.group = 1 AND c.n > 20 ORDER BY c.n'), [21, 25]);
  assert.deepEqual((await container.read()).resource.indexingPolicy.compositeIndexes, indexingPolicy.compositeIndexes);
});

test('composite indexes with mixed directions', async () => {
  const indexingPolicy = { includedPaths: [{ path: '/*' }], excludedPaths: [],
    compositeIndexes: [[{ path: '/group', order: 'ascending' }, { path: '/n', order: 'descending' }]] };
  const container = await fixture.container({ indexingPolicy }, { offerThroughput: 20000 });
  for (let i = 0; i < 40; ++i) await container.items.create({ id: String(i), pk: `k${i % 8}`, group: i % 4, n: i });
  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
  const ordered = Array.from({ length: 40 }, (_, i) => (9 - i % 10) * 4 + Math.floor(i / 10));
  for (const options of [{}, { maxItemCount: 7 }, { forceQueryPlan: true }]) {
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.group, c.n DESC', options), ordered);
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.group DESC, c.n', options), ordered.toReversed());
  }
  const response = await container.items.query('SELECT * FROM c ORDER BY c.group, c.n DESC',
    { populateIndexMetrics: true }).fetchNext();
  assert.deepEqual(JSON.parse(response.indexMetrics).UtilizedIndexes,
    { SingleIndexes: [], CompositeIndexes: [{ IndexSpecs: ['/group ASC', '/n DESC'] }] });
});

test('a path that the policy names orders documents without it, too', async () => {
  const indexingPolicy = { includedPaths: [{ path: '/*' }, { path: '/n/?' }], excludedPaths: [] };
  const container = await fixture.container({ indexingPolicy }, { offerThroughput: 20000 });
  for (let i = 0; i < 12; ++i)
    await container.items.create({ id: String(i), pk: `k${i}`, ...(i % 3 ? { n: i } : {}) });
  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
  for (const options of [{}, { maxItemCount: 5 }]) {
    const upwards = await rows('SELECT c.n FROM c ORDER BY c.n', options);
    assert.deepEqual(upwards.map((each) => each.n),
      [undefined, undefined, undefined, undefined, 1, 2, 4, 5, 7, 8, 10, 11]);
    const downwards = await rows('SELECT c.n FROM c ORDER BY c.n DESC', options);
    assert.deepEqual(downwards, upwards.toReversed());
  }
});

test('several partition keys', async () => {
  const container = await filled();
  for (const options of [{}, { forceQueryPlan: true }]) {
    const { resources } = await container.items.query(
      "SELECT VALUE c.n FROM c WHERE c.pk IN ('k1', 'k6') OR c.pk = 'k2'", options).fetchAll();
    assert.equal(resources.length, 15);
    assert.ok(resources.every((n) => [1, 6, 2].includes(n % 8)));
  }
});

test('ranked documents of several partitions', async () => {
  const container = await fixture.container({}, { offerThroughput: 20000 });
  const texts = ['a red bicycle, old but good', 'red red bicycle', 'a blue car with many parts', 'bicycle', 'green'];
  for (let i = 0; i < 40; ++i) {
    await container.items.create({ id: String(i), pk: `k${i}`, v: [i + 1, 40 - i],
      ...(i % 8 < 5 ? { text: texts[i % 8] + ' number' + i } : {}) });
  }
  const rows = async (query, options, parameters = []) =>
    (await container.items.query({ query, parameters }, options).fetchAll()).resources;
  const planned = { forceQueryPlan: true };
  const best = await rows("SELECT TOP 7 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'red', 'bicycle')", planned);
  assert.equal(best.length, 7);
  assert.deepEqual(best.slice(0, 5).map((each) => Number(each.id) % 8), [1, 1, 1, 1, 1]);
  for (const query of [
    "SELECT TOP 5 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'bicycle number11')",
    'SELECT TOP 5 c.id FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1, 0]), VectorDistance(c.v, [1, 0.1]))']) {
    const found = await rows(query, planned);
    assert.equal(found.length, 5, query);
    assert.deepEqual(found[0], (await rows(query, {}))[0], query);
  }
  const fused = 'SELECT c.id, c.text FROM c ORDER BY RANK RRF(FullTextScore(c.text, @word), VectorDistance(c.v, [1, 0]), [2, 1]) '
    + 'OFFSET 1 LIMIT 3';
  const word = [{ name: '@word', value: 'red' }];
  const together = await rows(fused, planned, word);
  assert.equal(together.length, 3);
  assert.deepEqual(together, await rows(fused, {}, word));
});

test('what is wrong with a query', async () => {
  const container = await fixture.container();
  const error = await refuses(container.items.query('SELECT * FROM c WHERE c.n = = 1').fetchAll(), 400);
  assert.match(JSON.stringify(error.body ?? error.message), /SC1001/);
  await refuses(container.items.query('SELECT none(c) FROM c').fetchAll(), 400);
});

test('metrics', async () => {
  const container = await filled();
  const answer = await container.items.query('SELECT * FROM c WHERE c.n = 7', { populateQueryMetrics: true }).fetchNext();
  assert.equal(answer.resources.length, 1);
  assert.ok(answer.queryMetrics);
});
