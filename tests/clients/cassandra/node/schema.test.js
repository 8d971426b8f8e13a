// What the driver learns of the schema: metadata, tokens, events.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { REPLICATION, useServer } = require('./orrery_server');

const fixture = useServer('of_schema');
const execute = (...all) => fixture.client.execute(...all);

test('tables', async () => {
  await execute('CREATE TABLE t (a int, b text, c timestamp, s int static, v map<text, frozen<list<int>>>, ' +
    "PRIMARY KEY ((a, b), c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'here'");
  await execute('CREATE INDEX by_value ON t (values(v))');
  const table = await fixture.client.metadata.getTable('of_schema', 't');
  assert.deepEqual(table.partitionKeys.map((column) => column.name), ['a', 'b']);
  assert.deepEqual(table.clusteringKeys.map((column) => column.name), ['c']);
  assert.deepEqual(table.clusteringOrder, ['DESC']);
  assert.deepEqual(table.columns.map((column) => column.name).sort(), ['a', 'b', 'c', 's', 'v']);
  assert.equal(table.comment, 'here');
  assert.deepEqual(table.indexes.map((index) => [index.name, index.target]), [['by_value', 'values(v)']]);
  assert.equal(await fixture.client.metadata.getTable('of_schema', 'nowhere'), null);
});

test('user types, functions, aggregates, views', async () => {
  const { metadata } = fixture.client;
  await execute('CREATE TYPE pair (a int, b frozen<list<text>>)');
  assert.deepEqual((await metadata.getUdt('of_schema', 'pair')).fields.map((field) => field.name), ['a', 'b']);
  await execute('CREATE FUNCTION plus (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript ' +
    "AS 'return a + b;'");
  await execute('CREATE AGGREGATE total (int) SFUNC plus STYPE int INITCOND 0');
  const [plus] = await metadata.getFunctions('of_schema', 'plus');
  assert.deepEqual([plus.argumentNames, plus.language, plus.calledOnNullInput], [['a', 'b'], 'javascript', true]);
  const [total] = await metadata.getAggregates('of_schema', 'total');
  assert.deepEqual([total.stateFunction, total.initCondition], ['plus', '0']);
  await execute('CREATE TABLE base (k int PRIMARY KEY, v int)');
  await execute('CREATE MATERIALIZED VIEW by_v AS SELECT * FROM base WHERE v IS NOT NULL AND k IS NOT NULL ' +
    'PRIMARY KEY (v, k)');
  const view = await metadata.getMaterializedView('of_schema', 'by_v');
  assert.deepEqual([view.tableName, view.includeAllColumns], ['base', true]);
});

test('another client learns of a keyspace', async () => {
  const other = await fixture.connect();
  await execute(`CREATE KEYSPACE told ${REPLICATION}`);
  for (let turn = 0; !('told' in other.metadata.keyspaces); turn++) {
    assert.ok(turn < 6000, 'the event never came');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test('the ring has tokens and every key has a replica', async () => {
  const { metadata } = fixture.client;
  const [host] = fixture.client.hosts.values();
  assert.ok(host.tokens.length > 0);
  assert.deepEqual(metadata.getReplicas('of_schema', Buffer.from([0, 0, 0, 1])), [host]);
  await execute('CREATE TABLE keys (k int PRIMARY KEY)');
  await execute('INSERT INTO keys (k) VALUES (1)');
  const token = (await execute('SELECT token(k) AS hash FROM keys')).first().hash;
  assert.equal(String(metadata.newToken(Buffer.from([0, 0, 0, 1]))), String(token));
});

test('a prepared select follows its table', async () => {
  await execute('CREATE TABLE grows (k int PRIMARY KEY, a int)');
  await execute('INSERT INTO grows (k, a) VALUES (1, 1)');
  const select = () => execute('SELECT * FROM grows WHERE k = ?', [1], { prepare: true });
  assert.deepEqual((await select()).first().keys(), ['k', 'a']);
  await execute('ALTER TABLE grows ADD b int');
  await execute('UPDATE grows SET b = 2 WHERE k = 1');
  assert.equal((await select()).first().b, 2);
});
