// Settings, feed, events, connect; the weight of the page.
'use strict';
const assert = require('node:assert/strict');
const zlib = require('node:zlib');
const { accessible, eventually, useExplorer, write } = require('./explorer_suite');

const FIRST_LOAD_MAX = 100 * 1024;
const ALL_MAX = 450 * 1024;
const { it } = useExplorer({
  prepare: async (server) => {
    await server.container('shop', 'orders', { partitionKey: { paths: ['/customer'] }, throughput: { manual: 4000 }, feedRetentionMinutes: 60 });
    await server.admin('POST', server.items('shop', 'orders'), { id: '1', customer: 'ann', total: 1 });
  },
});


it('follows the feed, deletes too', async ({ page, open, server }) => {
  await open('#/d/shop/orders/feed');
  const changes = page.getByRole('log', { name: 'Newest change first' });
  await changes.getByText(/create/).first().waitFor();
  await server.admin('PUT', `${server.items('shop', 'orders')}/1?partitionKey=["ann"]`, { id: '1', customer: 'ann', total: 2 });
  await changes.getByText(/replace/).waitFor();
  await server.admin('DELETE', `${server.items('shop', 'orders')}/1?partitionKey=["ann"]`);
  await changes.getByText(/delete/).waitFor();
  await accessible(page);
  await page.getByRole('textbox', { name: 'Filter' }).fill('total = 2');
  await page.getByRole('button', { name: 'Start again' }).click();
  await eventually(async () => assert.equal(await changes.getByRole('listitem').filter({ hasText: 'create' }).count(), 0));
});

it('changes settings', async ({ page, open, server }) => {
  await open('#/d/shop/orders/settings');
  const form = page.getByRole('form', { name: 'Settings' });
  await form.getByRole('radio', { name: 'after', exact: true }).check();
  await form.getByRole('spinbutton', { name: 'Seconds until items expire' }).fill('7200');
  await write(page, 'Indexing policy as JSON', '{"automatic": true, "includedPaths": ["/*"], "excludedPaths": ["/blob/*"]}');
  await accessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved; existing items follow in the background').waitFor();
  const { settings } = await server.admin('GET', 'databases/shop/containers/orders');
  assert.equal(settings.defaultTtl, 7200);
  assert.ok(settings.indexingPolicy.excludedPaths.includes('/blob/*'));
  assert.equal(settings.feedRetentionMinutes, 60);
});

it('asks once before it lowers the throughput', async ({ page, open, server }) => {
  await open('#/d/shop/orders/settings');
  const section = page.getByRole('region', { name: 'Throughput' });
  await section.getByRole('spinbutton').fill('1000');
  await section.getByRole('button', { name: 'Apply' }).click();
  await section.getByRole('alert').filter({ hasText: 'from 4,000 to 1,000 RU/s' }).waitFor();
  assert.deepEqual((await server.admin('GET', 'databases/shop/containers/orders/throughput')).throughput, { manual: 4000 });
  await section.getByRole('button', { name: 'Lower it' }).click();
  await page.getByText('shop/orders: 1,000 RU/s').waitFor();
  assert.deepEqual((await server.admin('GET', 'databases/shop/containers/orders/throughput')).throughput, { manual: 1000 });
});

it('deletes a container only by its name', async ({ page, open, server }) => {
  await server.container('old', 'things');
  await open('#/d/old/things/settings');
  await page.getByRole('button', { name: 'Delete container' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this container?' });
  const button = dialog.getByRole('button', { name: 'Delete' });
  assert.equal(await button.isDisabled(), true);
  await dialog.getByRole('textbox').fill('thing');
  assert.equal(await button.isDisabled(), true);
  await dialog.getByRole('textbox').fill('things');
  await accessible(page);
  await button.click();
  await page.getByText('Deleted old/things').waitFor();
  await eventually(async () => assert.ok(!(await server.admin('GET', 'status')).containers.some((each) => each.id === 'things')));
});

it('lists events as they come, by kind', async ({ page, open, server }) => {
  await open('#/events');
  const list = page.getByRole('log', { name: 'Newest first' });
  await list.getByText(/created/i).first().waitFor();
  await server.container('shop', 'later');
  await list.getByRole('listitem').filter({ hasText: 'shop/later' }).waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'split', exact: true }).click();
  await page.getByText('No event is like this.').waitFor();
  await page.reload();
  await page.getByText('No event is like this.').waitFor();
});

it('says how to connect, and shows the key only when asked', async ({ page, open, server }) => {
  await open('#/connect');
  await page.getByRole('cell', { name: 'MongoDB', exact: true }).waitFor();
  const key = require('./explorer_suite').ACCOUNT_KEY;
  assert.ok(!(await page.content()).includes(key));
  await accessible(page);
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page.getByRole('region', { name: 'SQL, JavaScript' }).getByText(key).waitFor();
  await page.getByRole('button', { name: 'CQL, Python' }).click();
  await page.getByRole('region', { name: 'CQL, Python' }).getByText('cassandra.cluster').waitFor();
  assert.ok(server.url);
});

it('weighs little, and asks nobody else', async ({ page, open, server, context }) => {
  const first = new Map();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  page.on('response', async (response) => {
    if (/\/_explorer\/(assets\/|$)/.test(response.url())) first.set(response.url(), zlib.gzipSync(await response.body(), { level: 9 }).length);
  });
  await open('#/');
  await page.getByRole('region', { name: 'Containers' }).waitFor();
  await eventually(() => assert.ok(first.size >= 3));
  const sum = [...first.values()].reduce((total, size) => total + size, 0);
  assert.ok(sum <= FIRST_LOAD_MAX, `first load: ${sum} bytes`);
  // All files, followed from the page by what they import.
  const seen = new Map();
  const visit = async (file) => {
    if (seen.has(file)) return;
    seen.set(file, 0);
    const response = await fetch(`${server.url}/_explorer/${file}`);
    assert.equal(response.status, 200, file);
    const body = Buffer.from(await response.arrayBuffer());
    seen.set(file, zlib.gzipSync(body, { level: 9 }).length);
    for (const [name] of body.toString().matchAll(/[\w-]+-[\w-]{8}\.(?:js|css|svg)/g)) await visit(`assets/${name}`);
  };
  await visit('');
  const all = [...seen.values()].reduce((total, size) => total + size, 0);
  assert.ok(seen.size > 10);
  assert.ok(all <= ALL_MAX, `all: ${all} bytes`);
});
