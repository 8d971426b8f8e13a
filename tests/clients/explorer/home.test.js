// From an empty server to the first query, and what the home page says of a busy one.
'use strict';
const assert = require('node:assert/strict');
const { accessible, eventually, useExplorer } = require('./explorer_suite');

const { it } = useExplorer();

it('goes from an empty server to the first query in four clicks', async ({ page, open }) => {
  await open('#/');
  await page.getByRole('heading', { name: 'An empty server' }).waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'Load sample data' }).click();
  await page.getByRole('heading', { name: 'shop/orders' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages of this container' }).getByRole('link', { name: 'Query' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('status').filter({ hasText: /100 rows · .* RU/ }).waitFor();
});

it('lists containers with their figures', async ({ page, open, server }) => {
  await open('#/');
  const row = page.getByRole('row').filter({ hasText: 'shop/orders' });
  await row.getByText('/customer').waitFor();
  assert.match(await row.textContent(), /20,000/);
  await accessible(page);
  await server.container('shop', 'visits', {});
  await page.getByRole('row').filter({ hasText: 'shop/visits' }).getByText('(fixed)').waitFor();
  await page.getByRole('textbox', { name: 'Filter containers' }).fill('visits');
  await eventually(async () => assert.equal(await page.getByRole('row').count(), 2));
});

it('creates a container', async ({ page, open, server }) => {
  await open('#/');
  await page.getByRole('button', { name: '+ New container' }).click();
  const dialog = page.getByRole('dialog', { name: 'New container' });
  await dialog.getByLabel('Database').fill('travel');
  await dialog.getByRole('textbox', { name: 'Container', exact: true }).fill('trips');
  await dialog.getByRole('textbox', { name: 'Partition key' }).fill('/tenant, /user');
  await dialog.getByRole('spinbutton').fill('12000');
  await dialog.getByText('orrery create travel/trips --partition-key /tenant --partition-key /user --throughput 12000').waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'travel/trips' }).waitFor();
  const made = await server.admin('GET', 'databases/travel/containers/trips');
  assert.deepEqual(made.settings.partitionKey.paths, ['/tenant', '/user']);
  assert.deepEqual(made.settings.throughput, { manual: 12000 });
});

it('goes to anything by the keyboard', async ({ page, open }) => {
  await open('#/');
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Where to' });
  await field.waitFor();
  await page.keyboard.type('trips data');
  await page.getByRole('option', { name: 'travel/trips data' }).waitFor();
  await accessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'travel/trips' }).waitFor();
  assert.match(page.url(), /#\/d\/travel\/trips\/data$/);
  await page.getByRole('button', { name: 'Show', exact: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.getByRole('region', { name: 'Ring of partitions' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'Containers' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.getByRole('dialog', { name: 'Keys' }).isVisible(), false));
});

it('keeps the chosen colours', async ({ page, open }) => {
  await open('#/');
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Use light colours' }).click();
  await page.getByRole('button', { name: 'Use dark colours' }).waitFor();
});
