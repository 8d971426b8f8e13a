// Candidate partition keys compared on what is stored.
'use strict';
const assert = require('node:assert/strict');
const { accessible, useExplorer } = require('./explorer_suite');

const { it } = useExplorer({
  prepare: async (server) => {
    await server.container('shop', 'orders', { partitionKey: { paths: ['/tenant'] }, throughput: { manual: 10000 } });
    // Nine of ten orders are one tenant's.
    for (let i = 0; i < 200; i++) {
      await server.admin('POST', server.items('shop', 'orders'), { id: String(i), tenant: i % 10 === 0 ? `tenant-${i}` : 'large', order: `order-${i}`, text: 'x'.repeat(200) });
    }
  },
});

it('compares keys, and says why', async ({ page, open }) => {
  await open('#/d/shop/orders/adviser');
  await accessible(page);
  await page.getByRole('button', { name: 'Compare keys' }).click();
  const table = page.getByRole('region', { name: 'Candidate keys' });
  await table.getByRole('row').filter({ hasText: '/tenant' }).filter({ hasText: 'today' }).waitFor();
  await page.getByRole('status').filter({ hasText: /^Sample of 200 of 200 items/ }).waitFor();
  await accessible(page);
  await table.getByRole('button', { name: '/tenant', exact: true }).click();
  const chosen = page.getByRole('region', { name: 'Chosen key' });
  await chosen.getByText('"large"').first().waitFor();
  assert.ok((await table.getByRole('row').count()) >= 5);
});

it('takes a candidate as people write it', async ({ page, open }) => {
  await open('#/d/shop/orders/adviser');
  await page.getByRole('textbox', { name: 'Only this key' }).fill('/tenant,');
  await page.getByRole('button', { name: 'Compare keys' }).click();
  await page.getByRole('alert').filter({ hasText: 'A property is missing' }).waitFor();
  await page.getByRole('textbox', { name: 'Only this key' }).fill('/tenant, /order');
  await page.getByRole('button', { name: 'Compare keys' }).click();
  await page.getByRole('region', { name: 'Candidate keys' }).getByRole('button', { name: /tenant.*order/ }).waitFor();
});
