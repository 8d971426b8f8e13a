// The everyday stories without a mouse: only keys are pressed here.
'use strict';
const assert = require('node:assert/strict');
const { eventually, useExplorer } = require('./explorer_suite');

const { it } = useExplorer();
const TABS_MAX = 150;

// Presses Tab until the element has the focus.
async function tabTo(page, locator) {
  await locator.waitFor();
  for (let i = 0; i < TABS_MAX; i++) {
    if (await locator.evaluate((element) => element.getRootNode().activeElement === element)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${locator}`);
}
async function press(page, name) {
  await tabTo(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}
async function fill(page, locator, text) {
  await tabTo(page, locator);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

it('makes a container, writes, queries, splits and scales', async ({ page, open, server }) => {
  await open('#/');
  await page.getByRole('heading', { name: 'An empty server' }).waitFor();
  // The first Tab offers to skip the frame.
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('button', { name: 'Skip to the page' }).evaluate((element) => element === document.activeElement), true);
  await press(page, '+ New container');
  await fill(page, page.getByLabel('Database'), 'shop');
  await fill(page, page.getByRole('textbox', { name: 'Container', exact: true }), 'orders');
  await fill(page, page.getByRole('textbox', { name: 'Partition key' }), '/customer');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'shop/orders' }).waitFor();

  await press(page, '+ New item');
  await fill(page, page.getByRole('textbox', { name: 'New item as JSON' }), '{"id": "1", "customer": "ann", "total": 1}');
  await page.keyboard.press('Control+Enter');
  const item = page.getByRole('textbox', { name: 'Item as JSON', exact: true });
  await fill(page, item, '{"id": "1", "customer": "ann", "total": 2}');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/Replaced: .* RU/).waitFor();
  assert.equal((await server.admin('GET', `${server.items('shop', 'orders')}/1?partitionKey=["ann"]`)).total, 2);

  // From a field letters are text; from elsewhere they lead to pages.
  await press(page, 'Close the item');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await fill(page, page.getByRole('textbox', { name: 'Query', exact: true }), 'SELECT VALUE c.total FROM c');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Result', exact: true }).getByRole('cell', { name: '2', exact: true }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Where to' }).waitFor();
  await page.keyboard.type('orders map');
  await page.keyboard.press('Enter');
  const ring = page.getByRole('region', { name: 'Ring of partitions' });
  await tabTo(page, ring.getByRole('button', { name: /^p\d+ / }));
  await page.keyboard.press('Enter');
  // One key is never split: there must be more.
  for (let i = 0; i < 20; i++) await server.admin('POST', server.items('shop', 'orders'), { id: `more-${i}`, customer: `customer-${i}`, total: 2 });
  await press(page, 'Split');
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.getByRole('dialog', { name: /^Split/ }).isVisible(), false));
  await press(page, 'Split');
  const dialog = page.getByRole('dialog', { name: /^Split partition/ });
  await tabTo(page, dialog.getByRole('button', { name: 'Split' }));
  await page.keyboard.press('Enter');
  await page.getByText(/is now \d+ and \d+; writers paused/).waitFor();

  await press(page, 'Scale');
  await fill(page, page.getByRole('dialog', { name: 'Throughput' }).getByRole('spinbutton'), '2000');
  await page.keyboard.press('Enter');
  await page.getByText('2,000 RU/s manual').waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await tabTo(page, page.getByRole('region', { name: 'Table' }).getByRole('button', { name: '1', exact: true }));
  await page.keyboard.press('Enter');
  await press(page, 'Delete');
  await page.keyboard.press('Enter');
  await page.getByText(/Deleted 1: .* RU/).waitFor();
});
