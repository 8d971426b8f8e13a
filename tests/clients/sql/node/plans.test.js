// Plans that the client executes: what each partition is asked, and what the client makes of the answers.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { useServer } = require('./orrery_server');

const fixture = useServer('plans');
const NAMES = ['ada', 'bob', 'cy', 'dan'];
let filled;

async function fill() {
  const container = await fixture.container({}, { offerThroughput: 40000 });
  for (let i = 0; i < 24; ++i) {
    await container.items.create({ id: String(i), pk: `k${i}`, name: NAMES[i % 4], n: i, ...(i % 3 ? { a: i % 5 } : {}) });
  }
  return container;
}

// One container for all tests, which only read it.
const items = async () => (await (filled ??= fill())).items;
const planned = async (query) => (await (await items()).query(query, { forceQueryPlan: true }).fetchAll()).resources;
const whole = async (query) => (await (await items()).query(query).fetchAll()).resources;

test('rows come of several partitions', async () => {
  await items();
  const ranges = (await (await filled).readPartitionKeyRanges().fetchAll()).resources;
  assert.ok(ranges.length > 2, String(ranges.length));
});

test('TOP, OFFSET and LIMIT count groups after they are merged', async () => {
  const top = await planned('SELECT TOP 3 c.name, COUNT(1) AS n FROM c GROUP BY c.name');
  assert.deepEqual(top.map((row) => row.n), [6, 6, 6]);
  assert.equal(new Set(top.map((row) => row.name)).size, 3);
  const rest = await planned('SELECT c.name, COUNT(1) AS n FROM c GROUP BY c.name OFFSET 1 LIMIT 2');
  assert.deepEqual(rest.map((row) => row.n), [6, 6]);
});

test('TOP, OFFSET and LIMIT count distinct rows after they are merged', async () => {
  assert.equal((await planned('SELECT DISTINCT TOP 3 VALUE c.name FROM c')).length, 3);
  assert.equal((await planned('SELECT DISTINCT VALUE c.name FROM c OFFSET 1 LIMIT 9')).length, 3);
  assert.deepEqual(await planned('SELECT DISTINCT VALUE c.name FROM c ORDER BY c.name OFFSET 1 LIMIT 2'), ['bob', 'cy']);
  // Equal rows are not beside each other in this order.
  const query = 'SELECT DISTINCT VALUE c.name FROM c ORDER BY c.n DESC';
  assert.deepEqual(await planned(query), ['dan', 'cy', 'bob', 'ada']);
});

test('TOP and OFFSET of an aggregate', async () => {
  assert.deepEqual(await planned('SELECT TOP 1 VALUE COUNT(1) FROM c'), [24]);
  assert.deepEqual(await planned('SELECT VALUE AVG(c.n) FROM c OFFSET 0 LIMIT 1'), [11.5]);
  assert.deepEqual(await planned('SELECT VALUE COUNT(1) FROM c OFFSET 1 LIMIT 1'), []);
});

test('rows in order are cut by each partition and by the client', async () => {
  assert.deepEqual(await planned('SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC'), [23, 22, 21]);
  assert.deepEqual(await planned('SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 20 LIMIT 9'), [20, 21, 22, 23]);
});

test('a value that is undefined is no row, in order as in none', async () => {
  for (const query of ['SELECT VALUE c.a FROM c ORDER BY c.n', 'SELECT VALUE c.a FROM c WHERE c.n < 12 ORDER BY c.n DESC']) {
    const rows = await planned(query);
    assert.ok(!rows.includes(null) && !rows.includes(undefined), JSON.stringify(rows));
    assert.deepEqual(rows, await whole(query));
  }
});

test('a query that reads nothing is asked of one partition', async () => {
  assert.deepEqual(await planned('SELECT VALUE 1'), [1]);
  assert.deepEqual(await planned('SELECT TOP 2 5 AS five'), [{ five: 5 }]);
  assert.deepEqual(await planned('SELECT VALUE s FROM (SELECT VALUE 2) s'), [2]);
});

test('a query that finds nothing', async () => {
  for (const where of ['false', 'c.pk = "k1" AND c.pk = "k2"', 'ARRAY_CONTAINS(["k1"], c.pk) AND c.pk = "k3"']) {
    assert.deepEqual(await planned(`SELECT * FROM c WHERE ${where}`), []);
    assert.deepEqual(await planned(`SELECT VALUE COUNT(1) FROM c WHERE ${where}`), [0]);
  }
});

test('conditions of the key', async () => {
  const ids = async (where) => (await planned(`SELECT VALUE c.id FROM c WHERE ${where}`)).sort();
  assert.deepEqual(await ids('c.pk IN ("k1", "k2", "k20", "none")'), ['1', '2', '20']);
  assert.deepEqual(await ids('NOT (c.pk != "k1") OR c.pk LIKE "k3"'), ['1', '3']);
  assert.deepEqual(await ids('_TRY_ARRAY_CONTAINS(["k5", "k6"], c.pk)'), ['5', '6']);
  assert.deepEqual(await ids('c.pk = "k7" OFFSET 0 LIMIT 5'), ['7']);
});
