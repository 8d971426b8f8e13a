// Items: look through, write, change, delete; a conflict is shown and not lost.
'use strict';
const assert = require('node:assert/strict');
const { accessible, eventually, useExplorer, write } = require('./explorer_suite');

const { it } = useExplorer({
  prepare: async (server) => {
    await server.container('shop', 'orders');
    for (let i = 1; i <= 150; i++) {
      await server.admin('POST', server.items('shop', 'orders'), { id: String(i), customer: i % 3 === 0 ? 'ann' : `customer-${i % 7}`, total: i });
    }
  },
});

const table = (page) => page.getByRole('region', { name: 'Table' });

it('pages, filters and finds by key', async ({ page, open }) => {
  await open('#/d/shop/orders/data');
  await page.getByRole('status').filter({ hasText: '100 items so far' }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('status').filter({ hasText: /^150 items, .* RU/ }).waitFor();
  await accessible(page);
  await page.getByRole('textbox', { name: 'Partition key' }).fill('ann');
  await page.getByRole('textbox', { name: 'Filter' }).fill('total > 140');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('status').filter({ hasText: /^4 items, 1 partition/ }).waitFor();
  // The address brings the same view.
  await page.reload();
  await page.getByRole('status').filter({ hasText: /^4 items/ }).waitFor();
  await page.getByRole('textbox', { name: 'Filter' }).fill('total >');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'A value is missing' }).waitFor();
});

it('creates, changes and deletes an item', async ({ page, open, server }) => {
  await open('#/d/shop/orders/data');
  await page.getByRole('button', { name: '+ New item' }).click();
  await write(page, 'New item as JSON', '{"id": "new", "customer": "zoe", "total": 9007199254740993}');
  await accessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'new', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Item', exact: true }).getByText(/Position .* in partition \d+, .*, etag "/).waitFor();
  await accessible(page);
  await write(page, 'Item as JSON', '{"id": "new", "customer": "zoe", "total": 2}');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/Replaced: .* RU/).waitFor();
  assert.equal((await server.admin('GET', `${server.items('shop', 'orders')}/new?partitionKey=["zoe"]`)).total, 2);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Really delete' }).click();
  await page.getByText(/Deleted new: .* RU/).waitFor();
  await assert.rejects(server.admin('GET', `${server.items('shop', 'orders')}/new?partitionKey=["zoe"]`), /404/);
});

it('shows a conflict and loses nobody\'s change', async ({ page, open, server }) => {
  const path = `${server.items('shop', 'orders')}/3?partitionKey=["ann"]`;
  await open('#/d/shop/orders/data?pk=ann&id=3');
  await page.getByRole('heading', { name: '3', exact: true }).waitFor();
  await server.admin('PUT', path, { id: '3', customer: 'ann', total: 1000, by: 'somebody else' });
  await write(page, 'Item as JSON', '{"id": "3", "customer": "ann", "total": 1}');
  await page.getByRole('button', { name: 'Replace' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Somebody changed this item meanwhile.' });
  await conflict.getByText('somebody else').waitFor();
  assert.equal((await server.admin('GET', path)).total, 1000);
  await accessible(page);
  await page.getByRole('button', { name: 'Go on with mine' }).click();
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByText(/Replaced: .* RU/).waitFor();
  assert.deepEqual(await server.admin('GET', path), { id: '3', customer: 'ann', total: 1 });
});

it('says what is wrong with an item before it is sent', async ({ page, open }) => {
  await open('#/d/shop/orders/data?pk=ann&id=6');
  await page.getByRole('heading', { name: '6', exact: true }).waitFor();
  await write(page, 'Item as JSON', '{"id": "6", }');
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('alert').filter({ hasText: 'line 1' }).waitFor();
  await write(page, 'Item as JSON', '{"id": "6", "customer": "bob"}');
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('alert').filter({ hasText: 'The partition key of an item cannot change' }).waitFor();
});

it('leads back and forward', async ({ page, open }) => {
  await open('#/d/shop/orders/data');
  await table(page).waitFor();
  await page.getByRole('link', { name: 'Map' }).click();
  await page.getByRole('region', { name: 'Ring of partitions' }).waitFor();
  await page.goBack();
  await table(page).waitFor();
  await page.goForward();
  await page.getByRole('region', { name: 'Ring of partitions' }).waitFor();
  await eventually(async () => assert.match(await page.title(), /shop\/orders map/));
});

it('numbers beyond a double are shown and kept', async ({ page, open, server }) => {
  await fetch(`${server.url}/_admin/v1/${server.items('shop', 'orders')}`, { method: 'POST', body: '{"id":"big","customer":"big","n":9007199254740993}',
    headers: { authorization: `Bearer ${require('./explorer_suite').ACCOUNT_KEY}` } });
  await open('#/d/shop/orders/data?pk=big');
  await table(page).getByText('9007199254740993').waitFor();
});
