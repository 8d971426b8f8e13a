// Statements, batches, conditions, pages, streams, charges, traces, errors.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const cassandra = require('cassandra-driver');
const { useServer } = require('./orrery_server');

const prepared = { prepare: true };
const fixture = useServer('statements', async (client) => {
  await client.execute('CREATE TABLE rows (p int, c int, v text, s int static, PRIMARY KEY (p, c))');
  await client.batch(Array.from({ length: 100 }, (_, i) => (
    { query: 'INSERT INTO rows (p, c, v, s) VALUES (?, ?, ?, ?)', params: [i % 4, i, `v${i}`, i % 4] })), prepared);
  await client.execute('CREATE TABLE t (k int PRIMARY KEY, a text, b text)');
});
const { consistencies, responseErrorCodes } = cassandra.types;
const execute = (...all) => fixture.client.execute(...all);

test('parameters by position and by name, with and without preparing', async () => {
  await execute('INSERT INTO t (k, a, b) VALUES (?, ?, ?)', [1, 'x', 'y'], { hints: ['int'] });
  await execute('INSERT INTO t (k, a, b) VALUES (:key, :v, :v)', { key: 2, v: 'twice' }, { hints: { key: 'int' } });
  await execute('INSERT INTO t (k, a, b) VALUES (:key, :v, :v)', { key: 3, v: 'prepared' }, prepared);
  const rows = (await execute('SELECT k, a, b FROM t WHERE k IN ?', [[1, 2, 3]], prepared)).rows;
  assert.deepEqual(rows.map((row) => [row.k, row.a, row.b]).sort(),
    [[1, 'x', 'y'], [2, 'twice', 'twice'], [3, 'prepared', 'prepared']]);
});

test('null deletes, unset leaves alone', async () => {
  const insert = 'INSERT INTO t (k, a, b) VALUES (?, ?, ?)';
  await execute(insert, [10, 'a', 'b'], prepared);
  await execute(insert, [10, cassandra.types.unset, null], prepared);
  const row = (await execute('SELECT a, b FROM t WHERE k = 10')).first();
  assert.deepEqual([row.a, row.b], ['a', null]);
});

test('batches of every kind', async () => {
  const insert = 'INSERT INTO t (k, a) VALUES (?, ?)';
  for (const logged of [true, false]) {
    await fixture.client.batch([{ query: insert, params: [20, 'x'] }, { query: insert, params: [21, 'y'] }],
      { prepare: true, logged });
    assert.equal((await execute('SELECT a FROM t WHERE k = 21')).first().a, 'y');
  }
  await fixture.client.batch(["INSERT INTO t (k, a) VALUES (22, 'simple')"]);
  await execute('CREATE TABLE n (k int PRIMARY KEY, n counter)');
  await fixture.client.batch([{ query: 'UPDATE n SET n = n + ? WHERE k = 1', params: [2] },
    { query: 'UPDATE n SET n = n + ? WHERE k = 2', params: [3] }], { prepare: true, counter: true });
  assert.equal(String((await execute('SELECT sum(n) AS n FROM n')).first().n), '5');
});

test('conditions', async () => {
  const insert = "INSERT INTO t (k, a) VALUES (30, 'first') IF NOT EXISTS";
  assert.equal((await execute(insert)).wasApplied(), true);
  const again = await execute(insert, [], { serialConsistency: consistencies.localSerial });
  assert.equal(again.wasApplied(), false);
  assert.equal(again.first().a, 'first');
  assert.equal((await execute("UPDATE t SET a = 'second' WHERE k = 30 IF a = 'first'")).wasApplied(), true);
});

test('pages by hand', async () => {
  const seen = [];
  let pageState;
  do {
    const result = await execute('SELECT p, c FROM rows', [], { prepare: true, fetchSize: 7, pageState });
    assert.ok(result.rowLength <= 7);
    seen.push(...result.rows.map((row) => row.c));
    pageState = result.pageState;
  } while (pageState);
  assert.deepEqual(seen.sort((a, b) => a - b), Array.from({ length: 100 }, (_, i) => i));
});

test('pages by iterating, by stream and by eachRow', async () => {
  const iterated = [];
  const pages = { prepare: true, fetchSize: 9, autoPage: true };
  for await (const row of await execute('SELECT c FROM rows', [], pages)) iterated.push(row.c);
  assert.equal(new Set(iterated).size, 100);
  const streamed = [];
  for await (const row of fixture.client.stream('SELECT c FROM rows', [], pages)) streamed.push(row.c);
  assert.deepEqual(streamed, iterated);
  const each = [];
  await new Promise((resolve, reject) => fixture.client.eachRow('SELECT c FROM rows WHERE p = 1', [],
    pages, (_, row) => each.push(row.c),
    (error) => (error ? reject(error) : resolve())));
  assert.deepEqual(each, Array.from({ length: 25 }, (_, i) => 4 * i + 1));
});

test('a thousand at once', async () => {
  await cassandra.concurrent.executeConcurrent(fixture.client, 'INSERT INTO t (k, a) VALUES (?, ?)',
    Array.from({ length: 1000 }, (_, i) => [1000 + i, `a${i}`]), { concurrencyLevel: 500 });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => (
    execute('SELECT a FROM t WHERE k = ?', [1000 + i], prepared))));
  answers.forEach((answer, i) => assert.equal(answer.first().a, `a${i}`));
});

test('execution profiles and levels', async () => {
  const { ExecutionProfile } = cassandra;
  const client = await fixture.connect({ keyspace: 'statements', profiles: [
    new ExecutionProfile('strong', { consistency: consistencies.localQuorum,
      serialConsistency: consistencies.localSerial }),
    new ExecutionProfile('routed', { consistency: consistencies.one,
      loadBalancing: new cassandra.policies.loadBalancing.TokenAwarePolicy(
        new cassandra.policies.loadBalancing.DCAwareRoundRobinPolicy('datacenter1')) })] });
  for (const executionProfile of ['strong', 'routed']) {
    const result = await client.execute('SELECT v FROM rows WHERE p = ? AND c = ?', [1, 1],
      { prepare: true, executionProfile });
    assert.equal(result.first().v, 'v1');
  }
});

test('each answer tells its charge', async () => {
  const result = await execute('SELECT v FROM rows WHERE p = 1 AND c = 1');
  assert.ok(result.info.customPayload.RequestCharge.readDoubleBE(0) > 0);
});

test('a page state goes on with another query of the table', async () => {
  const { rows: first, pageState } = await execute('SELECT p, c FROM rows WHERE p = 1', [], { prepare: true, fetchSize: 1 });
  const last = first[0].c;
  const behind = await execute('SELECT p, c FROM rows WHERE p = 1 AND c > ?', [last - 1], { prepare: true, pageState });
  assert.ok(behind.rows.length > 0);
  assert.ok(behind.rows.every((row) => row.p === 1 && row.c > last));
  const again = await execute('SELECT p, c FROM rows WHERE p = 1 AND c = ?', [last], { prepare: true, pageState });
  assert.equal(again.rows.length, 0);
});

test('warnings', async () => {
  const { warnings, customPayload } = (await execute('SELECT count(*) FROM t')).info;
  assert.deepEqual(warnings, ['Aggregation query used without partition key']);
  assert.equal(customPayload, undefined); // Java's drivers cannot read both
});

test('traces', async () => {
  const result = await execute('SELECT v FROM rows WHERE p = 1 AND c = 1', [], { traceQuery: true });
  const trace = await fixture.client.metadata.getTrace(result.info.traceId);
  assert.ok(trace.events.length > 0);
});

test('errors have their codes', async () => {
  for (const [statement, code] of [['SELEC', responseErrorCodes.syntaxError],
    ['SELECT * FROM nowhere', responseErrorCodes.invalid], ['SELECT nothing FROM t', responseErrorCodes.invalid],
    ['CREATE TABLE t (k int PRIMARY KEY)', responseErrorCodes.alreadyExists],
    ["CREATE KEYSPACE x WITH replication = {'class': 'None'}", responseErrorCodes.configError]]) {
    await assert.rejects(execute(statement), (error) => {
      assert.ok(error instanceof cassandra.errors.ResponseError);
      assert.equal(error.code, code, statement);
      return true;
    });
  }
});

test('throttling', async () => {
  await execute('CREATE TABLE slow (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400');
  const client = await fixture.connect({ keyspace: 'statements', policies: {
    retry: new cassandra.policies.retry.FallthroughRetryPolicy() } });
  const answers = await Promise.allSettled(Array.from({ length: 1000 }, (_, k) => (
    client.execute('INSERT INTO slow (k, v) VALUES (?, ?)', [k, 'x'.repeat(1000)], prepared))));
  const refused = answers.filter((answer) => answer.status === 'rejected').map((answer) => answer.reason);
  assert.ok(refused.length > 0 && refused.length < 1000);
  for (const error of refused) {
    assert.equal(error.code, responseErrorCodes.overloaded);
    assert.match(error.message, /, RetryAfterMs=[1-9]\d*,/);
  }
});
