// Values of every CQL type through prepared statements.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { types } = require('cassandra-driver');
const { useServer } = require('./orrery_server');

const fixture = useServer('of_types');
const { BigDecimal, Duration, InetAddress, Integer, LocalDate, LocalTime, Long, TimeUuid, Tuple, Uuid } = types;
let made = 0;

// Writes a value into a new table's column of that type and hands back what is read.
async function roundTrip(type, value) {
  const table = `t${made++}`;
  await fixture.client.execute(`CREATE TABLE ${table} (k int PRIMARY KEY, v ${type})`);
  await fixture.client.execute(`INSERT INTO ${table} (k, v) VALUES (1, ?)`, [value], { prepare: true });
  return (await fixture.client.execute(`SELECT v FROM ${table} WHERE k = ?`, [1], { prepare: true })).first().v;
}

const uuid = Uuid.fromString('f0a5c8d2-6b4e-4c9a-9d3b-7a1e2f3c4d5e');
const scalars = {
  ascii: ['plain'], bigint: [Long.MAX_VALUE, Long.MIN_VALUE, Long.fromInt(-1)],
  blob: [Buffer.from([0, 1, 255]), Buffer.alloc(0)], boolean: [true, false],
  date: [LocalDate.fromString('2026-02-28'), LocalDate.fromString('-0001-01-01')],
  decimal: [BigDecimal.fromString('-12345678901234567890.0987')], double: [1.7976931348623157e308, -0.5, Infinity],
  duration: [new Duration(14, 3, Long.fromNumber(5e9)), Duration.fromString('-1mo2d3ns')], float: [0.5, -1.25],
  inet: [InetAddress.fromString('127.0.0.1'), InetAddress.fromString('2001:db8::1')], int: [2147483647, -2147483648, 0],
  smallint: [32767, -32768], text: ['', 'Ωmega \u{1f52d}', "it's"], time: [LocalTime.fromString('23:59:59.999999999')],
  timestamp: [new Date('2026-02-28T12:30:15.123Z'), new Date(-1)],
  timeuuid: [TimeUuid.fromString('5b6962dd-3f90-11e4-8e5f-0123456789ab')], tinyint: [127, -128], uuid: [uuid],
  varchar: ['text'], varint: [Integer.fromString('123456789012345678901234567890'), Integer.fromNumber(-129)],
};

for (const [type, values] of Object.entries(scalars)) {
  test(`scalar ${type}`, async () => {
    for (const value of values) {
      const got = await roundTrip(type, value);
      assert.ok(got === value || String(got) === String(value), `${value} came back as ${got}`);
      assert.equal(got.constructor, value.constructor);
    }
    assert.equal(await roundTrip(type, null), null);
  });
}

test('collections', async () => {
  assert.deepEqual(await roundTrip('list<int>', [3, 1, 3]), [3, 1, 3]);
  assert.deepEqual(await roundTrip('set<text>', ['b', 'a']), ['a', 'b']);
  assert.deepEqual(await roundTrip('map<text, int>', { a: 1, b: 2 }), { a: 1, b: 2 });
  assert.deepEqual(await roundTrip('frozen<map<text, frozen<list<int>>>>', { a: [1, 2] }), { a: [1, 2] });
  assert.deepEqual(await roundTrip('list<frozen<set<uuid>>>', [[uuid]]), [[uuid]]);
  assert.equal(await roundTrip('list<int>', []), null);
});

test('tuples', async () => {
  const got = await roundTrip('tuple<int, text, frozen<list<int>>>', new Tuple(1, null, [1, 2]));
  assert.ok(got instanceof Tuple);
  assert.deepEqual(got.values(), [1, null, [1, 2]]);
});

test('user types, nested', async () => {
  await fixture.client.execute('CREATE TYPE phone (kind text, number bigint)');
  await fixture.client.execute('CREATE TYPE address (street text, phones frozen<list<phone>>)');
  const home = { street: 'Main Street', phones: [{ kind: 'home', number: Long.fromInt(1) }] };
  assert.deepEqual(await roundTrip('frozen<address>', home), home);
  assert.deepEqual(await roundTrip('map<text, frozen<address>>', { home }), { home });
  assert.deepEqual(await roundTrip('address', { street: 'S' }), { street: 'S', phones: null });
});

test('vectors', async () => {
  const floats = await roundTrip('vector<float, 3>', new types.Vector([1.5, -2.5, 0], 'float'));
  assert.ok(floats instanceof types.Vector);
  assert.deepEqual(Array.from(floats), [1.5, -2.5, 0]);
  const texts = await roundTrip('vector<text, 2>', new types.Vector(['a', 'longer'], 'text'));
  assert.deepEqual(Array.from(texts), ['a', 'longer']);
});

test('counters', async () => {
  await fixture.client.execute('CREATE TABLE counters (k int PRIMARY KEY, n counter)');
  for (const step of [5, -2, 39]) {
    await fixture.client.execute('UPDATE counters SET n = n + ? WHERE k = 1', [step], { prepare: true });
  }
  assert.equal(String((await fixture.client.execute('SELECT n FROM counters')).first().n), '42');
});

test('numbers as BigInt when the client says so', async () => {
  const client = await fixture.connect({ keyspace: 'of_types',
    encoding: { useBigIntAsLong: true, useBigIntAsVarint: true } });
  await client.execute('CREATE TABLE big (k int PRIMARY KEY, a bigint, b varint)');
  await client.execute('INSERT INTO big (k, a, b) VALUES (1, ?, ?)', [2n ** 62n, -(10n ** 30n)], { prepare: true });
  const row = (await client.execute('SELECT a, b FROM big')).first();
  assert.deepEqual([row.a, row.b], [2n ** 62n, -(10n ** 30n)]);
});
