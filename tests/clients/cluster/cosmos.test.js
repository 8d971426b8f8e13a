// npm's @azure/cosmos: what is begun through one node goes on through another.
'use strict';
const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { ChangeFeedStartFrom, CosmosClient, PermissionMode } = require('@azure/cosmos');
const { ACCOUNT_KEY, refuses } = require('../sql/node/orrery_server');
const { URLS } = require('./cluster');

const LINGER_MS = 500;
const clients = [];
const connect = (number, options = { key: ACCOUNT_KEY }) => {
  const client = new CosmosClient({ endpoint: URLS[number], ...options });
  clients.push(client);
  return client;
};
// Of one container through each node, which has partitions at all of them.
let through;

before(async () => {
  const [first] = [connect(0), connect(1), connect(2)];
  await first.databases.create({ id: 'cluster' });
  await first.database('cluster').containers.create(
    { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }, { offerThroughput: 30000 });
  through = clients.map((client) => client.database('cluster').container('c'));
});
after(async () => {
  await clients[0].database('cluster').delete();
  for (const client of clients) client.dispose();
  setTimeout(() => process.exit(), LINGER_MS).unref();
});

test('items through every node', async () => {
  for (let i = 0; i < 60; ++i) {
    const created = await through[i % 3].items.create({ id: String(i), pk: `k${i}`, i });
    const read = await through[(i + 1) % 3].item(String(i), `k${i}`).read();
    assert.deepEqual(read.resource, created.resource);
  }
  const ranges = await Promise.all(through.map(async (container) => (
    (await container.readPartitionKeyRanges().fetchAll()).resources.map((range) => [range.id, range.minInclusive]))));
  assert.ok(ranges[0].length >= 3);
  assert.deepEqual(ranges[1], ranges[0]);
  assert.deepEqual(ranges[2], ranges[0]);
});

test('session tokens of one node at another', async () => {
  const { headers } = await through[0].items.upsert({ id: '5', pk: 'k5', i: 5, again: true });
  const sessionToken = headers['x-ms-session-token'];
  assert.ok(sessionToken);
  for (const container of through) {
    const { resource } = await container.item('5', 'k5').read({ sessionToken, consistencyLevel: 'Session' });
    assert.equal(resource.again, true);
  }
});

test('pages of a query, each from another node', async () => {
  const found = [];
  let continuationToken;
  let turn = 0;
  do {
    const page = await through[turn++ % 3].items.query('SELECT VALUE c.i FROM c ORDER BY c.i', {
      maxItemCount: 7, continuationToken, enableQueryControl: true }).fetchNext();
    found.push(...page.resources ?? []);
    ({ continuationToken } = page);
  } while (continuationToken && turn < 100);
  assert.deepEqual(found, Array.from({ length: 60 }, (_, i) => i));
  const { resources: [sum] } = await through[2].items.query('SELECT VALUE SUM(c.i) FROM c').fetchAll();
  assert.equal(sum, 59 * 30);
});

test('a change feed that goes on at another node', async () => {
  const read = async (container, changeFeedStartFrom) => {
    const iterator = container.items.getChangeFeedIterator({ maxItemCount: 9, changeFeedStartFrom });
    const found = [];
    for (;;) {
      const page = await iterator.readNext();
      if (page.statusCode === 304) return { found, continuation: page.continuationToken };
      found.push(...page.result);
    }
  };
  const all = await read(through[0], ChangeFeedStartFrom.Beginning());
  assert.equal(new Set(all.found.map((item) => item.id)).size, 60);
  await through[1].items.upsert({ id: '9', pk: 'k9', i: 9, new: true });
  const since = await read(through[2], ChangeFeedStartFrom.Continuation(all.continuation));
  assert.deepEqual(since.found.map((item) => [item.id, item.new]), [['9', true]]);
});

test('procedures, triggers, functions and batches for partitions of every node', async () => {
  const [first, second, third] = through;
  await first.scripts.storedProcedures.create({ id: 'add', body: function add(pk) {
    const collection = getContext().getCollection();
    if (!collection.createDocument(collection.getSelfLink(), { id: 'made', pk, i: 0 }, (error, created) => {
      if (error) throw error;
      getContext().getResponse().setBody(created.pk);
    })) throw new Error('not accepted');
  } });
  await second.scripts.triggers.create({ id: 'mark', triggerType: 'Pre', triggerOperation: 'Create', body: function mark() {
    const request = getContext().getRequest();
    request.setBody({ ...request.getBody(), marked: true });
  } });
  await third.scripts.userDefinedFunctions.create({ id: 'twice', body: function twice(n) { return 2 * n; } });
  for (let i = 0; i < 9; ++i) {
    const container = through[i % 3];
    assert.equal((await container.scripts.storedProcedure('add').execute(`k${i}`, [`k${i}`])).resource, `k${i}`);
    const { resource } = await container.items.create({ id: 'triggered', pk: `k${i}` }, { preTriggerInclude: ['mark'] });
    assert.equal(resource.marked, true);
    const { resources: [twice] } = await container.items.query(
      `SELECT VALUE udf.twice(c.i) FROM c WHERE c.id = '${i}'`, { partitionKey: `k${i}` }).fetchAll();
    assert.equal(twice, 2 * i);
    const { result } = await container.items.batch([
      { operationType: 'Delete', id: 'made' }, { operationType: 'Delete', id: 'triggered' },
      { operationType: 'Create', resourceBody: { id: 'batch', pk: `k${i}` } }], `k${i}`);
    assert.deepEqual(result.map((each) => each.statusCode), [204, 204, 201]);
    await refuses(container.items.create({ id: 'batch', pk: `k${i}` }), 409);
  }
  assert.equal((await third.scripts.storedProcedures.readAll().fetchAll()).resources.length, 1);
});

test('scripts made through all nodes at once', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => (
    through[i % 3].scripts.storedProcedures.create({ id: `same${i}`, body: 'function () {}' }))));
  for (const container of through)
    assert.equal((await container.scripts.storedProcedures.readAll().fetchAll()).resources.length, 13);
});

test('stored procedures on unique keys of partitions that other nodes have', async () => {
  const { container } = await clients[0].database('cluster').containers.create({
    id: 'unique', partitionKey: { paths: ['/pk'], version: 2 },
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } }, { offerThroughput: 30000 });
  await container.scripts.storedProcedures.create({ id: 'add', body: `function (pk, id, email) {
    getContext().getCollection().createDocument(__.getSelfLink(), { id, pk, email }, function (error) { if (error) throw error; });
  }` });
  for (let i = 0; i < 9; ++i) {
    const add = (node, id, email) => clients[node % 3].database('cluster').container('unique')
      .scripts.storedProcedure('add').execute(`k${i}`, [`k${i}`, id, email]);
    for (const node of [0, 1, 2]) assert.equal((await add(node, `${node}`, `${node}@x`)).statusCode, 200);
    await assert.rejects(add(i, 'other', '0@x'), /Unique index constraint violation/);
  }
});

test('conditional patches through all nodes lose no update', async () => {
  for (let i = 0; i < 6; ++i) {
    await through[0].items.create({ id: 'stock', pk: `stock${i}`, left: 20 });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => (
      through[n % 3].item('stock', `stock${i}`).patch({
        condition: 'from c where c.left > 0', operations: [{ op: 'incr', path: '/left', value: -1 }] }))));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 10);
    for (const { reason } of refused) assert.equal(reason.code, 412);
    assert.equal((await through[i % 3].item('stock', `stock${i}`).read()).resource.left, 0);
  }
});

test('throughput changed through one node is metered at all', async () => {
  const database = clients[0].database('cluster');
  await database.containers.create({ id: 'slow', partitionKey: { paths: ['/pk'], version: 2 } }, { offerThroughput: 400 });
  const impatient = [0, 1, 2].map((number) => connect(number, { key: ACCOUNT_KEY,
    connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } }).database('cluster').container('slow'));
  const text = 'x'.repeat(20000);
  for (const [number, container] of impatient.entries()) {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, id) => (
      container.items.create({ id: `a${number}_${id}`, pk: 'a', text }))));
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason);
    assert.ok(refusals.length > 0);
    for (const refusal of refusals) {
      assert.equal(refusal.code, 429);
      assert.ok(refusal.retryAfterInMs > 0);
    }
  }
  const { offer, resource } = await clients[1].database('cluster').container('slow').readOffer();
  resource.content.offerThroughput = 9000;
  await offer.replace(resource);
  assert.equal((await clients[2].database('cluster').container('slow').readOffer()).resource.content.offerThroughput, 9000);
  for (let id = 0; id < 9; ++id) {
    const { statusCode } = await clients[id % 3].database('cluster').container('slow').items.create(
      { id: `b${id}`, pk: 'a', text });
    assert.equal(statusCode, 201);
  }
});

test('users, permissions and their tokens', async () => {
  const [first, second, third] = clients.map((client) => client.database('cluster'));
  await Promise.all([first, second, third].map((database, i) => database.users.create({ id: `user${i}` })));
  assert.equal((await third.users.readAll().fetchAll()).resources.length, 3);
  const { resource: permission } = await second.user('user0').permissions.create(
    { id: 'read', permissionMode: PermissionMode.Read, resource: through[0].url });
  for (const number of [0, 1, 2]) {
    const reader = connect(number, { resourceTokens: { [through[0].url]: permission._token } });
    const same = reader.database('cluster').container('c');
    assert.equal((await same.item('5', 'k5').read()).resource?.id, '5');
    await refuses(same.items.create({ id: 'x', pk: 'a' }), 403);
  }
  await third.user('user0').permission('read').delete();
  const late = connect(0, { resourceTokens: { [through[0].url]: permission._token } });
  await refuses(late.database('cluster').container('c').item('5', 'k5').read(), 403);
});
