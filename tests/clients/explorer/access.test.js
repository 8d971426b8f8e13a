// Log-in by a key; a read-only key sees everything and changes nothing; names that attack.
'use strict';
const assert = require('node:assert/strict');
const { ACCOUNT_KEY, accessible, eventually, useExplorer } = require('./explorer_suite');

const READ_ONLY_KEY = Buffer.from('a key that may read and nothing else').toString('base64');
const HOSTILE = ['<img src=x onerror=alert(1)>', 'javascript:alert(1)', 'right\u202eto left'];
const { it } = useExplorer({
  flags: ['--auth', 'required', '--read-only-key', READ_ONLY_KEY],
  prepare: async (server) => {
    await server.container('shop', 'orders', { partitionKey: { paths: ['/customer'] }, throughput: { manual: 1000 }, feedRetentionMinutes: 60 });
    await server.admin('POST', server.items('shop', 'orders'), { id: '1', customer: 'ann', total: 1 });
    for (const name of HOSTILE) {
      await server.container(name, name, { partitionKey: { paths: ['/customer'] }, throughput: { manual: 1000 }, feedRetentionMinutes: 60 });
      await server.admin('POST', server.items(name, name), { id: name, customer: name, [name]: `${name}\u0000` });
    }
  },
});

const enter = async (page, key) => {
  await page.getByLabel('Account key').fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
};

it('asks for a key, and keeps it nowhere', async ({ page, server }) => {
  await page.goto(`${server.url}/_explorer/`);
  await page.getByRole('heading', { name: 'Orrery' }).waitFor();
  await accessible(page);
  await enter(page, Buffer.from('a wrong key').toString('base64'));
  await page.getByRole('alert').filter({ hasText: 'This is not a key of this server.' }).waitFor();
  await enter(page, ACCOUNT_KEY);
  await page.getByRole('region', { name: 'Containers' }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.ok(!kept.includes(ACCOUNT_KEY));
  assert.equal(await page.evaluate(() => document.cookie), '');
  await page.reload();
  await page.getByRole('region', { name: 'Containers' }).waitFor();
});

it('shows attacking names as text, on every page', async ({ page, open }) => {
  let alerted = false;
  page.on('dialog', (dialog) => {
    alerted = true;
    void dialog.dismiss();
  });
  await open('#/');
  await page.getByRole('region', { name: 'Containers' }).getByText(HOSTILE[0]).first().waitFor();
  await accessible(page);
  for (const name of HOSTILE) {
    const shown = name.replace('\u202e', '⟨U+202E⟩');
    const at = encodeURIComponent(name);
    for (const view of ['map', 'data', 'settings', 'feed']) {
      await open(`#/d/${at}/${at}/${view}`);
      await page.getByRole('heading', { name: `${shown}/${shown}` }).waitFor();
    }
    await page.getByRole('log').getByText(shown).first().waitFor();
    await open(`#/d/${at}/${at}/data`);
    await page.getByRole('region', { name: 'Table' }).getByRole('button', { name: shown, exact: true }).click();
    await page.getByRole('region', { name: 'Item', exact: true }).getByRole('heading', { name: shown }).waitFor();
    await open(`#/query?db=${at}&c=${at}&api=sql`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Result', exact: true }).getByText(shown).first().waitFor();
  }
  await open('#/events');
  await page.getByRole('log').getByText(HOSTILE[0]).first().waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(alerted, false);
});

it('lets a read-only key see everything and change nothing', async ({ page, open, context, server }) => {
  await context.clearCookies();
  await page.goto(`${server.url}/_explorer/`);
  await enter(page, READ_ONLY_KEY);
  await page.getByText('read-only', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Containers' }).waitFor();
  assert.equal(await page.getByRole('button', { name: '+ New container' }).count(), 0);
  await open('#/d/shop/orders/data?pk=ann&id=1');
  await page.getByRole('region', { name: 'Item', exact: true }).waitFor();
  for (const name of ['Replace', 'Delete', '+ New item']) assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0);
  await open('#/d/shop/orders/map');
  await page.getByRole('region', { name: 'Ring of partitions' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Scale' }).count(), 0);
  await open('#/d/shop/orders/settings');
  await page.getByRole('heading', { name: 'Fixed at creation' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Delete container' }).count(), 0);
  await accessible(page);
  await open('#/query?db=shop&c=orders&api=sql');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('status').filter({ hasText: /^1 row/ }).waitFor();
});

it('logs out', async ({ page, open }) => {
  await open('#/');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Account key').waitFor();
  await page.reload();
  await page.getByLabel('Account key').waitFor();
  await eventually(async () => assert.equal(await page.getByRole('banner').count(), 0));
});
