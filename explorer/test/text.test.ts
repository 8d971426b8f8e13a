// Names, numbers, addresses and statements as the page writes and reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, home, parseAddress } from '../src/data/address';
import { candidateFromText } from '../src/data/candidate';
import { csvCell, toCsv } from '../src/data/export';
import { ExactNumber, JsonSyntaxError, atPath, parseExact, pathNames, writeExact } from '../src/data/exact_json';
import { FilterError, parseFilter } from '../src/data/filter';
import { bytes, charge, duration, percent, shellWord, shorten, span, visible } from '../src/data/format';
import { keyFromText, keyOf, keyToText } from '../src/data/key';
import { chosenText, cqlName, splitStatements } from '../src/data/statement';

const hostile = ['<img src=x onerror=alert(1)>', 'javascript:alert(1)', 'a\u202eb\u0000c', '..', 'a/b?c#d', '%2e', 'a&b=c', ' ', '"', 'é😀'];

test('an address brings the same place back, whatever the names are', () => {
  for (const database of hostile) {
    for (const container of hostile) {
      const place = { ...home, page: 'data' as const, database, container, rest: [], query: { pk: container, id: database } };
      assert.deepEqual(parseAddress(addressOf(place)), place);
    }
  }
  assert.equal(addressOf(home), '#/');
  assert.equal(addressOf({ page: 'map', database: 'shop', container: 'orders' }), '#/d/shop/orders/map');
});

test('an address that is none of ours is told', () => {
  assert.deepEqual(parseAddress(''), home);
  assert.equal(parseAddress('#/nowhere'), null);
  assert.equal(parseAddress('#/d/shop'), null);
  assert.equal(parseAddress('#/d/shop/orders/nowhere'), null);
  assert.equal(parseAddress('#/d/shop/orders')?.page, 'map');
  assert.equal(parseAddress('#/d/%zz/orders')?.database, '%zz');
});

test('a lone surrogate does not break an address', () => {
  assert.equal(parseAddress(addressOf({ page: 'map', database: '\ud800', container: 'c' }))?.database, '\ufffd');
});

test('numbers that a double cannot hold stay what they were', () => {
  const text = '{"big":9007199254740993,"exact":0.1000000000000000055511151231257827,"far":1e400,"small":1,"minus":-0,"nested":[12345678901234567890]}';
  assert.equal(writeExact(parseExact(text)), text);
  assert.ok((parseExact('9007199254740993') as ExactNumber) instanceof ExactNumber);
  assert.equal(parseExact('12.50'), 12.5);
  assert.equal(parseExact('-12'), -12);
});

test('JSON that JSON.parse reads is read as by it', () => {
  for (const text of ['{"a":[1,2,{"b":null}],"c":"\\u00e9\\n","d":true}', '[]', '{}', '"x"', ' [ 1 , 2 ] ', '1e3', '{"__proto__":{"x":1}}']) {
    assert.deepEqual(parseExact(text), JSON.parse(text));
    assert.equal(writeExact(parseExact(text)), JSON.stringify(JSON.parse(text)));
  }
});

test('malformed JSON says where', () => {
  for (const text of ['', '{', '[1,]', '{"a" 1}', '{a:1}', '"\n"', '01', '1 2', 'nul', '"a', '[1', '-']) assert.throws(() => parseExact(text), JsonSyntaxError, text);
  assert.throws(() => parseExact('{\n  "a": x}'), /line 2, column 8/);
  assert.throws(() => parseExact('['.repeat(5000)), /levels/);
});

test('small objects stay on one line', () => {
  assert.equal(writeExact({ id: '1', tags: ['a', 'b'], at: { x: 1 } }, 2), '{\n  "id": "1",\n  "tags": ["a", "b"],\n  "at": { "x": 1 }\n}');
});

test('paths name properties', () => {
  assert.deepEqual(pathNames('/a/"b c"/d'), ['a', 'b c', 'd']);
  assert.deepEqual(pathNames("/'$pk'"), ['$pk']);
  assert.deepEqual(pathNames('/"a\\"b"'), ['a"b']);
  assert.equal(atPath({ a: { b: 7 } }, '/a/b'), 7);
  assert.equal(atPath({ a: 1 }, '/a/b'), undefined);
  assert.equal(atPath({}, '/toString'), undefined);
});

test('what cannot be seen is shown', () => {
  assert.equal(visible('a\u0000b'), 'a␀b');
  assert.equal(visible('a\u202eb'), 'a⟨U+202E⟩b');
  assert.equal(visible('x\ny'), 'x⏎y');
  assert.equal(visible('😀é'), '😀é');
  assert.equal(visible('\ud800'), '⟨U+D800⟩');
});

test('numbers have their units', () => {
  assert.equal(bytes(999), '999 B');
  assert.equal(bytes(12_100_000_000), '11.3 GB');
  assert.equal(bytes(811 * 1024), '811 KB');
  assert.equal(charge(7.4), '7.40');
  assert.equal(percent(0.914), '91 %');
  assert.equal(percent(0.001), '<1 %');
  assert.equal(percent(NaN), '-');
  assert.equal(duration(6.12), '6.1 ms');
  assert.equal(span(7260), '2 h 1 min');
  assert.equal(shorten('abcdef', 4), 'abc…');
});

test('a word of a command line is one word', () => {
  assert.equal(shellWord('shop/orders'), 'shop/orders');
  assert.equal(shellWord("a b'; rm -rf /"), `'a b'\\''; rm -rf /'`);
});

test('a key is a text, a number or several levels', () => {
  assert.equal(keyFromText('ann'), 'ann');
  assert.equal(keyFromText('"12"'), '12');
  assert.equal(keyFromText('12'), 12);
  assert.deepEqual(keyFromText('["a", 2]'), ['a', 2]);
  assert.equal(keyFromText('{"a":1}'), '{"a":1}');
  assert.equal(keyFromText('  '), undefined);
  for (const value of ['ann', '12', '', 'true', '["a"]', 7, true, null]) assert.deepEqual(keyFromText(keyToText([value])), value === '' ? '' : value);
  assert.equal(keyOf({ id: '1', customer: 'ann', at: { x: 2 } }, ['/customer', '/at/x', '/none']), '["ann",2,{}]');
});

test('a filter is what the scan takes', () => {
  assert.equal(parseFilter(' '), null);
  assert.deepEqual(parseFilter('total > 10'), { '>': [{ path: '/total' }, 10] });
  assert.deepEqual(parseFilter("c.a.b >= 'x y' and name ^= \"Os\" AND ok = true"),
    { and: [{ '>=': [{ path: '/a/b' }, 'x y'] }, { starts_with: [{ path: '/name' }, 'Os'] }, { '=': [{ path: '/ok' }, true] }] });
  for (const text of ['total', 'total >', 'a = 1 or b = 2', 'a = 1 and', '= 1']) assert.throws(() => parseFilter(text), FilterError, text);
});

test('CSV does not become a formula', () => {
  assert.equal(csvCell('=1+1'), "'=1+1");
  assert.equal(csvCell('@x'), "'@x");
  assert.equal(csvCell('\tx'), "'\tx");
  assert.equal(csvCell(-5), '-5');
  assert.equal(csvCell('a,"b"\n'), '"a,""b""\n"');
  assert.equal(csvCell(new ExactNumber('9007199254740993')), '9007199254740993');
  assert.equal(toCsv(['a', 'b'], [[1, null], ['x', { y: 1 }]]), 'a,b\r\n1,\r\nx,"{""y"":1}"\r\n');
});

test('statements end at semicolons that are in nothing else', () => {
  const parts = (text: string): string[] => splitStatements(text).map((piece) => text.slice(piece.from, piece.to));
  assert.deepEqual(parts("INSERT INTO a VALUES (';'); -- x;y\nSELECT 1;\n/* ; */"), ["INSERT INTO a VALUES (';')", '-- x;y\nSELECT 1']);
  assert.deepEqual(parts('CREATE FUNCTION f() AS $$ a; b; $$; SELECT "a;b" FROM t'), ['CREATE FUNCTION f() AS $$ a; b; $$', 'SELECT "a;b" FROM t']);
  assert.deepEqual(parts('BEGIN BATCH INSERT 1; INSERT 2; APPLY BATCH; SELECT 3'), ['BEGIN BATCH INSERT 1; INSERT 2; APPLY BATCH', 'SELECT 3']);
  assert.deepEqual(parts(' ; ; '), []);
  const text = 'SELECT 1; SELECT 2;';
  assert.equal(chosenText('cassandra', text, { from: 3, to: 3 }), 'SELECT 1');
  assert.equal(chosenText('cassandra', text, { from: 14, to: 14 }), 'SELECT 2');
  assert.equal(chosenText('cassandra', text, { from: 0, to: 6 }), 'SELECT');
  assert.equal(chosenText('sql', ' SELECT 1 ', { from: 2, to: 2 }), 'SELECT 1');
  assert.equal(cqlName('user'), 'user');
  assert.equal(cqlName('a"b'), '"a""b"');
});

test('a candidate key is read as people write it', () => {
  assert.equal(candidateFromText(' '), null);
  assert.deepEqual(candidateFromText('customer'), ['/customer']);
  assert.deepEqual(candidateFromText('/a, /b/c'), ['/a', '/b/c']);
  assert.deepEqual(candidateFromText('/a + month'), { join: ['/a', '/month'] });
  assert.deepEqual(candidateFromText('/id % 16'), { bucket: '/id', of: 16 });
  assert.throws(() => candidateFromText('/a,'), /missing/);
});
