// Documents as applications use them. The same over plain HTTP and TLS: see items.test.js, items_tls.test.js.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { refuses, useServer } = require('./orrery_server');

module.exports = function itemsSuite(name, options) {
  const fixture = useServer(name, options);

  test('an item from its creation to its end', async () => {
    const container = await fixture.container();
    const created = await container.items.create({ id: '1', pk: 'a', n: 1.5, deep: { list: [1, 'x', null, true] } });
    assert.equal(created.statusCode, 201);
    assert.ok(created.requestCharge > 1);
    const read = await container.item('1', 'a').read();
    assert.deepEqual(read.resource, created.resource);
    assert.equal(read.requestCharge, 1);
    const replaced = await container.item('1', 'a').replace({ id: '1', pk: 'a', n: 2 });
    assert.equal(replaced.resource.n, 2);
    assert.equal(replaced.resource.deep, undefined);
    const deleted = await container.item('1', 'a').delete();
    assert.equal(deleted.statusCode, 204);
    assert.equal((await container.item('1', 'a').read()).statusCode, 404);
    await refuses(container.item('1', 'a').delete(), 404);
  });

  test('upsert', async () => {
    const container = await fixture.container();
    assert.equal((await container.items.upsert({ id: '1', pk: 'a' })).statusCode, 201);
    assert.equal((await container.items.upsert({ id: '1', pk: 'a', n: 1 })).statusCode, 200);
    await refuses(container.items.create({ id: '1', pk: 'a' }), 409);
  });

  test('ids of all kinds', async () => {
    const container = await fixture.container();
    for (const id of ['with space', '100%', 'ключ', '鍵', '😀', 'a+b&c=d', "it's", '"quoted"']) {
      await container.items.create({ id, pk: 'a' });
      assert.equal((await container.item(id, 'a').read()).resource?.id, id);
    }
    await refuses(container.items.create({ id: 'a'.repeat(1024), pk: 'a' }), 400);
  });

  test('partition keys of all kinds', async () => {
    const container = await fixture.container();
    for (const pk of ['text', 'ключ 鍵', 5, -1.5, 0, true, false, null]) {
      await container.items.create({ id: '1', pk });
      assert.deepEqual((await container.item('1', pk).read()).resource?.pk, pk);
    }
    await container.items.create({ id: '1' });
    assert.equal((await container.item('1', undefined).read()).resource?.id, '1');
  });

  test('hierarchical keys', async () => {
    const container = await fixture.container({
      partitionKey: { paths: ['/tenant', '/user', '/session'], kind: 'MultiHash', version: 2 } });
    await container.items.create({ id: '1', tenant: 't', user: 'u', session: 7 });
    assert.equal((await container.item('1', ['t', 'u', 7]).read()).resource?.id, '1');
    assert.equal((await container.item('1', ['t', 'v', 7]).read()).statusCode, 404);
  });

  test('etags', async () => {
    const container = await fixture.container();
    const { resource } = await container.items.create({ id: '1', pk: 'a', n: 1 });
    const ifUnchanged = { accessCondition: { type: 'IfMatch', condition: resource._etag } };
    await container.item('1', 'a').replace({ id: '1', pk: 'a', n: 2 }, ifUnchanged);
    await refuses(container.item('1', 'a').replace({ id: '1', pk: 'a', n: 3 }, ifUnchanged), 412);
    await refuses(container.item('1', 'a').delete(ifUnchanged), 412);
    const { resource: now } = await container.item('1', 'a').read();
    assert.equal(now.n, 2);
    const same = await container.item('1', 'a').read({ accessCondition: { type: 'IfNoneMatch', condition: now._etag } });
    assert.equal(same.statusCode, 304);
  });

  test('patch', async () => {
    const container = await fixture.container();
    await container.items.create({ id: '1', pk: 'a', n: 1, tags: ['x'], old: 1 });
    const { resource } = await container.item('1', 'a').patch([
      { op: 'incr', path: '/n', value: 2 }, { op: 'add', path: '/tags/-', value: 'y' },
      { op: 'set', path: '/s', value: { t: 1 } }, { op: 'replace', path: '/s/t', value: 2 },
      { op: 'move', from: '/s/t', path: '/m' }, { op: 'remove', path: '/old' }]);
    assert.deepEqual([resource.n, resource.tags, resource.s, resource.m, resource.old], [3, ['x', 'y'], {}, 2, undefined]);
    const conditional = (condition) => container.item('1', 'a').patch(
      { condition, operations: [{ op: 'incr', path: '/n', value: 1 }] });
    assert.equal((await conditional('from c where c.n = 3')).resource.n, 4);
    await refuses(conditional('from c where c.n = 3'), 412);
    await refuses(container.item('none', 'a').patch([{ op: 'set', path: '/n', value: 1 }]), 404);
  });

  test('a batch is done whole or not at all', async () => {
    const container = await fixture.container();
    const done = await container.items.batch([
      { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } },
      { operationType: 'Upsert', resourceBody: { id: '2', pk: 'a' } },
      { operationType: 'Read', id: '1' },
      { operationType: 'Patch', id: '1', resourceBody: { operations: [{ op: 'add', path: '/n', value: 1 }] } },
      { operationType: 'Replace', id: '2', resourceBody: { id: '2', pk: 'a', n: 2 } },
      { operationType: 'Delete', id: '2' }], 'a');
    assert.deepEqual(done.result.map((each) => each.statusCode), [201, 201, 200, 200, 200, 204]);
    const failed = await container.items.batch([
      { operationType: 'Create', resourceBody: { id: '3', pk: 'a' } },
      { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } }], 'a');
    assert.equal(failed.code, 207);
    assert.deepEqual(failed.result.map((each) => each.statusCode), [424, 409]);
    assert.equal((await container.item('3', 'a').read()).statusCode, 404);
  });

  test('bulk', async () => {
    const container = await fixture.container({}, { offerThroughput: 20000 });
    const creates = Array.from({ length: 250 }, (_, i) => (
      { operationType: 'Create', partitionKey: `k${i % 40}`, resourceBody: { id: String(i), pk: `k${i % 40}` } }));
    const created = await container.items.executeBulkOperations(creates);
    assert.ok(created.every((each) => each.response?.statusCode === 201), JSON.stringify(created.find((each) => each.error)));
    const mixed = await container.items.executeBulkOperations([
      { operationType: 'Read', id: '0', partitionKey: 'k0' },
      { operationType: 'Create', partitionKey: 'k0', resourceBody: { id: '0', pk: 'k0' } },
      { operationType: 'Delete', id: '1', partitionKey: 'k1' },
      { operationType: 'Patch', id: '2', partitionKey: 'k2', resourceBody: { operations: [{ op: 'add', path: '/n', value: 1 }] } }]);
    assert.deepEqual(mixed.map((each) => each.response?.statusCode ?? each.error?.code), [200, 409, 204, 200]);
  });

  test('short answers', async () => {
    const container = await fixture.container();
    const done = await container.items.batch([{ operationType: 'Create', resourceBody: { id: '1', pk: 'a' } }], 'a',
      { contentResponseOnWriteEnabled: false });
    assert.equal(done.result[0].statusCode, 201);
    assert.equal(done.result[0].resourceBody, undefined);
  });

  test('a partition key deleted whole', async () => {
    const container = await fixture.container();
    for (const id of ['1', '2', '3']) await container.items.create({ id, pk: 'a' });
    await container.items.create({ id: '1', pk: 'b' });
    await container.deleteAllItemsForPartitionKey('a');
    assert.equal((await container.item('2', 'a').read()).statusCode, 404);
    assert.equal((await container.item('1', 'b').read()).statusCode, 200);
  });

  test('the client tries again what came too fast', async () => {
    const container = await fixture.container({}, { offerThroughput: 400 });
    const text = 'x'.repeat(20000);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => (
      container.items.create({ id: String(i), pk: 'a', text }))));
    assert.ok(answers.every((answer) => answer.statusCode === 201));
  });
};
