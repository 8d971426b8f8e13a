// Everyday jobs with entities: every kind of write, types, conditions, queries, transactions, errors.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { odata } = require('@azure/data-tables');
const { all, refuses, useServer } = require('./orrery_server');

module.exports = function suite(options) {
  const fixture = useServer(options);

  test('a table is made, listed and dropped', async () => {
    await fixture.service.createTable('Short');
    await fixture.service.createTable('Short'); // the client takes 409 for done
    const names = (await all(fixture.service.listTables())).map((table) => table.name);
    assert.ok(names.includes('Short'));
    const filtered = await all(fixture.service.listTables({ queryOptions: { filter: odata`TableName eq 'Short'` } }));
    assert.deepEqual(filtered.map((table) => table.name), ['Short']);
    await fixture.service.deleteTable('Short');
    assert.deepEqual(await all(fixture.service.listTables({ queryOptions: { filter: odata`TableName eq 'Short'` } })), []);
    await refuses(fixture.client('Short').createEntity({ partitionKey: 'a', rowKey: 'b' }), 404, 'TableNotFound');
  });

  test('the entity Smith, Ben', async () => {
    const people = await fixture.table('People');
    await people.createEntity({ partitionKey: 'Smith', rowKey: 'Ben', email: 'Ben@contoso.com', age: 33 });
    const ben = await people.getEntity('Smith', 'Ben');
    assert.equal(ben.email, 'Ben@contoso.com');
    assert.equal(ben.age, 33);
    assert.match(ben.etag, /^W\/"datetime'/);
    assert.ok(!Number.isNaN(Date.parse(ben.timestamp)));
    await refuses(people.createEntity({ partitionKey: 'Smith', rowKey: 'Ben' }), 409, 'EntityAlreadyExists');
    await refuses(people.getEntity('Smith', 'Jeff'), 404, 'ResourceNotFound');
  });

  test('every type comes back as it went', async () => {
    const table = await fixture.table('Types');
    const entity = {
      partitionKey: 'p', rowKey: 'r', text: 'Grüße 😀 "\'', whole: 2147483647, real: 1.5, yes: true, no: false,
      big: 9223372036854775807n, date: new Date('2026-02-03T04:05:06.789Z'), bytes: new Uint8Array([0, 1, 255]),
      guid: { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' },
      ticks: { type: 'DateTime', value: '2026-02-03T04:05:06.7891234Z' },
      wholeDouble: { type: 'Double', value: '5' }, id: 'own', ttl: 7,
    };
    await table.createEntity(entity);
    const read = await table.getEntity('p', 'r');
    for (const name of ['text', 'whole', 'real', 'yes', 'no', 'big', 'id', 'ttl'])
      assert.deepEqual(read[name], entity[name], name);
    assert.deepEqual([...read.bytes], [0, 1, 255]);
    assert.equal(read.date.toISOString(), '2026-02-03T04:05:06.789Z');
    assert.equal(read.guid.value, entity.guid.value);
    assert.equal(read.wholeDouble, 5);
    const exact = await table.getEntity('p', 'r', { disableTypeConversion: true });
    assert.equal(exact.ticks.value, '2026-02-03T04:05:06.7891234Z');
  });

  test('merge, replace and upsert', async () => {
    const table = await fixture.table('Writes');
    await table.upsertEntity({ partitionKey: 'p', rowKey: 'r', a: 1, b: 2 }, 'Replace');
    await table.upsertEntity({ partitionKey: 'p', rowKey: 'r', b: 3, c: 4 }, 'Merge');
    let read = await table.getEntity('p', 'r');
    assert.deepEqual([read.a, read.b, read.c], [1, 3, 4]);
    await table.updateEntity({ partitionKey: 'p', rowKey: 'r', b: 'text' }, 'Merge');
    await table.updateEntity({ partitionKey: 'p', rowKey: 'r', d: 5 }, 'Replace');
    read = await table.getEntity('p', 'r');
    assert.deepEqual([read.a, read.b, read.d], [undefined, undefined, 5]);
    await refuses(table.updateEntity({ partitionKey: 'p', rowKey: 'none', d: 5 }, 'Merge'), 404, 'ResourceNotFound');
    await table.deleteEntity('p', 'r');
    await refuses(table.deleteEntity('p', 'r'), 404, 'ResourceNotFound');
  });

  test('etags guard against lost updates', async () => {
    const table = await fixture.table('Etags');
    await table.createEntity({ partitionKey: 'p', rowKey: 'r', n: 1 });
    const { etag } = await table.getEntity('p', 'r');
    const updated = await table.updateEntity({ partitionKey: 'p', rowKey: 'r', n: 2 }, 'Merge', { etag });
    assert.notEqual(updated.etag, etag);
    for (const mode of ['Merge', 'Replace'])
      await refuses(table.updateEntity({ partitionKey: 'p', rowKey: 'r', n: 3 }, mode, { etag }), 412, 'UpdateConditionNotSatisfied');
    await refuses(table.deleteEntity('p', 'r', { etag }), 412, 'UpdateConditionNotSatisfied');
    assert.equal((await table.getEntity('p', 'r')).n, 2);
    await table.deleteEntity('p', 'r', { etag: updated.etag });
  });

  test('odd keys', async () => {
    const table = await fixture.table('OddKeys');
    const keys = ["it's", '', 'a,b=(c)', 'Grüße 😀', "',RowKey='", ' blank ', 'per%20cent', 'plus+&;'];
    for (const key of keys) await table.createEntity({ partitionKey: key, rowKey: key, key });
    for (const key of keys) assert.equal((await table.getEntity(key, key)).key, key, key);
    const listed = (await all(table.listEntities())).map((entity) => entity.partitionKey);
    assert.deepEqual(listed, [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    for (const key of keys) await table.deleteEntity(key, key);
    await refuses(table.createEntity({ partitionKey: 'a/b', rowKey: 'r' }), 400, 'OutOfRangeInput');
  });

  test('queries are in the order of the keys, page by page', async () => {
    const table = await fixture.table('Pages');
    const rows = [];
    for (let i = 0; i < 60; i += 1) rows.push({ partitionKey: `p${(i * 7) % 12}`, rowKey: String(i).padStart(3, '0'), n: i, even: i % 2 === 0 });
    await Promise.all(rows.map((row) => table.createEntity(row)));
    const expected = rows.map((row) => `${row.partitionKey} ${row.rowKey}`).sort();
    const listed = [];
    for await (const page of table.listEntities().byPage({ maxPageSize: 7 })) {
      assert.ok(page.length <= 7);
      listed.push(...page.map((entity) => `${entity.partitionKey} ${entity.rowKey}`));
    }
    assert.deepEqual(listed, expected);
    const find = async (filter) => (await all(table.listEntities({ queryOptions: { filter } }))).map((entity) => entity.n).sort((a, b) => a - b);
    assert.deepEqual(await find(odata`n eq 17`), [17]);
    assert.deepEqual(await find(odata`n gt 55`), [56, 57, 58, 59]);
    assert.deepEqual(await find(odata`PartitionKey eq 'p7' and n lt 30`), rows.filter((row) => row.partitionKey === 'p7' && row.n < 30).map((row) => row.n).sort((a, b) => a - b));
    assert.deepEqual(await find(`even and (n lt 4 or n gt 56)`), [0, 2, 58]);
    assert.deepEqual(await find(`not even and RowKey ge '055'`), [55, 57, 59]);
    const selected = await all(table.listEntities({ queryOptions: { filter: odata`n eq 3`, select: ['n'] } }));
    assert.equal(selected[0].n, 3);
    assert.equal(selected[0].partitionKey, undefined);
  });

  test('a transaction is all or nothing', async () => {
    const table = await fixture.table('Batches');
    const rows = Array.from({ length: 100 }, (_, i) => ({ partitionKey: 'p', rowKey: String(i), n: i }));
    const done = await table.submitTransaction(rows.map((row) => ['create', row]));
    assert.equal(done.status, 202);
    assert.equal(done.subResponses.length, 100);
    assert.ok(done.getResponseForEntity('42').etag);
    const failed = await refuses(table.submitTransaction([
      ['update', { partitionKey: 'p', rowKey: '0', n: -1 }, 'Merge'],
      ['delete', { partitionKey: 'p', rowKey: '1' }],
      ['create', { partitionKey: 'p', rowKey: '2', n: 0 }],
    ]), 409, 'EntityAlreadyExists');
    assert.match(failed.message, /2:The specified entity already exists/);
    assert.equal((await table.getEntity('p', '0')).n, 0);
    await table.submitTransaction([
      ['update', { partitionKey: 'p', rowKey: '0', m: 1 }, 'Merge'],
      ['upsert', { partitionKey: 'p', rowKey: 'new', n: 7 }, 'Replace'],
      ['delete', { partitionKey: 'p', rowKey: '1' }],
    ]);
    const first = await table.getEntity('p', '0');
    assert.deepEqual([first.n, first.m], [0, 1]);
    await refuses(table.getEntity('p', '1'), 404);
    await refuses(table.submitTransaction([
      ['create', { partitionKey: 'p', rowKey: 'x' }], ['create', { partitionKey: 'p', rowKey: 'x' }],
    ]), 400, 'InvalidDuplicateRow');
  });
};
