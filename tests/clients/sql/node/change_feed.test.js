// The change feed by the client's own iterators, also over a split.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { ChangeFeedMode, ChangeFeedPolicy, ChangeFeedRetentionTimeSpan, ChangeFeedStartFrom } = require('@azure/cosmos');
const { useServer } = require('./orrery_server');

const fixture = useServer('feeds');

async function readUntilNothingNew(iterator) {
  const found = [];
  for (;;) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) return { found, continuation: page.continuationToken };
    found.push(...page.result);
  }
}

test('all items, then only what is new', async () => {
  const container = await fixture.container({}, { offerThroughput: 20000 });
  for (let i = 0; i < 30; ++i) await container.items.create({ id: String(i), pk: `k${i}` });
  const from = (changeFeedStartFrom) => container.items.getChangeFeedIterator({ maxItemCount: 7, changeFeedStartFrom });
  const all = await readUntilNothingNew(from(ChangeFeedStartFrom.Beginning()));
  assert.equal(new Set(all.found.map((item) => item.id)).size, 30);
  await container.items.upsert({ id: '5', pk: 'k5', again: true });
  const since = await readUntilNothingNew(from(ChangeFeedStartFrom.Continuation(all.continuation)));
  assert.deepEqual(since.found.map((item) => [item.id, item.again]), [['5', true]]);
  const one = await readUntilNothingNew(from(ChangeFeedStartFrom.Beginning('k7')));
  assert.deepEqual(one.found.map((item) => item.id), ['7']);
  const now = from(ChangeFeedStartFrom.Now());
  await readUntilNothingNew(now);
  await container.items.create({ id: 'new', pk: 'k1' });
  assert.deepEqual((await readUntilNothingNew(now)).found.map((item) => item.id), ['new']);
});

test('a reader goes on over a split', async () => {
  const container = await fixture.container({}, { offerThroughput: 1000 });
  for (let i = 0; i < 20; ++i) await container.items.create({ id: String(i), pk: `k${i}` });
  const iterator = container.items.getChangeFeedIterator(
    { maxItemCount: 5, changeFeedStartFrom: ChangeFeedStartFrom.Beginning() });
  const found = (await iterator.readNext()).result.map((item) => item.id);
  await fixture.server.admin('POST', `/databases/feeds/containers/${container.id}/split`);
  await container.items.create({ id: 'after', pk: 'k1' });
  found.push(...(await readUntilNothingNew(iterator)).found.map((item) => item.id));
  assert.equal(new Set(found).size, 21);
});

test('all versions and deletes', async () => {
  const container = await fixture.container({
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(5)) });
  const iterator = container.items.getChangeFeedIterator({
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes, changeFeedStartFrom: ChangeFeedStartFrom.Now() });
  await readUntilNothingNew(iterator);
  await container.items.create({ id: '1', pk: 'a' });
  await container.items.upsert({ id: '1', pk: 'a', n: 1 });
  await container.item('1', 'a').delete();
  const { found } = await readUntilNothingNew(iterator);
  assert.deepEqual(found.map((change) => change.metadata.operationType), ['create', 'replace', 'delete']);
  assert.equal(found[1].current.n, 1);
});
