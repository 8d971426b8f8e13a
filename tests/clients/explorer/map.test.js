// The map: a partition splits while one looks; keys, throttling, throughput; the same as a table.
'use strict';
const assert = require('node:assert/strict');
const { accessible, eventually, useExplorer } = require('./explorer_suite');

const { it } = useExplorer({
  prepare: async (server) => {
    await server.container('shop', 'orders', { partitionKey: { paths: ['/customer'] }, throughput: { manual: 10000 } });
    for (let i = 0; i < 60; i++) await server.admin('POST', server.items('shop', 'orders'), { id: String(i), customer: `customer-${i % 20}`, total: i });
  },
});

const ring = (page) => page.getByRole('region', { name: 'Ring of partitions' });
const facts = (page, text) => page.getByRole('main').getByText(text, { exact: true }).first().waitFor();

it('divides the ring before one\'s eyes when a partition splits', async ({ page, open, server }) => {
  await open('#/d/shop/orders/map');
  const [before] = (await server.admin('GET', 'partitions?database=shop&container=orders')).partitions;
  await ring(page).getByRole('button', { name: `p${before.id} ` }).waitFor();
  await facts(page, '1 partition');
  await accessible(page);
  const { children } = await server.admin('POST', `partitions/${before.id}/split`, {});
  for (const child of children) await ring(page).getByRole('button', { name: `p${child} ` }).waitFor();
  await eventually(async () => assert.equal(await ring(page).getByRole('button', { name: `p${before.id} ` }).count(), 0));
  await facts(page, '2 partitions');
  // The figures of the parts add up to those of the container.
  await page.getByText('The same as a table').click();
  const cells = async () => (await page.getByRole('row').filter({ hasText: 'Partition ' }).getByRole('cell').allTextContents()).map((text) => text.trim());
  await eventually(async () => {
    const texts = await cells();
    const items = texts.filter((_, i) => i % 8 === 7).map(Number);
    assert.equal(items.length, 2);
    assert.equal(items[0] + items[1], 60);
  });
  await accessible(page);
  // The split is told, and the partition that was is kept in the past.
  await open(`#/d/shop/orders/map?p=${before.id}`);
  await page.getByRole('region', { name: `Partition ${before.id}`, exact: true }).getByText(/It ended at/).waitFor();
  await page.getByRole('region', { name: 'Events of this container' }).getByText(`Partition ${before.id} split into ${children[0]} and ${children[1]}`).waitFor();
});

it('shows one partition, splits it and merges it again', async ({ page, open, server }) => {
  const { partitions } = await server.admin('GET', 'partitions?database=shop&container=orders');
  const id = partitions[0].id;
  await open(`#/d/shop/orders/map?p=${id}`);
  const panel = page.getByRole('region', { name: `Partition ${id}`, exact: true });
  await panel.getByText('Largest key').waitFor();
  await accessible(page);
  await panel.getByRole('button', { name: /^Merge with/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Merge partitions/ });
  await dialog.getByText(/^orrery merge \d+ \d+$/).waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/^Partitions \d+ and \d+ are now \d+$/).waitFor();
  await facts(page, '1 partition');
  const [merged] = (await server.admin('GET', 'partitions?database=shop&container=orders')).partitions;
  const again = page.getByRole('region', { name: `Partition ${merged.id}`, exact: true });
  await again.getByRole('button', { name: 'Split' }).click();
  await page.getByRole('dialog', { name: /^Split partition/ }).getByRole('button', { name: 'Split' }).click();
  await page.getByText(new RegExp(`^Partition ${merged.id} is now \\d+ and \\d+; writers paused`)).waitFor();
  await facts(page, '2 partitions');
});

it('finds the place of a key', async ({ page, open, server }) => {
  await open('#/d/shop/orders/map');
  await page.getByRole('textbox', { name: 'Find key' }).fill('customer-7');
  await page.keyboard.press('Enter');
  const said = await page.getByRole('status').filter({ hasText: 'lies in partition' }).textContent();
  const { partition } = await server.admin('POST', 'databases/shop/containers/orders/locate', { partitionKey: ['customer-7'] });
  assert.match(said, new RegExp(`partition ${partition}`));
  await page.getByRole('region', { name: `Partition ${partition}`, exact: true }).waitFor();
});

it('raises the throughput, and the partitions come', async ({ page, open, server }) => {
  await server.container('shop', 'grows', { partitionKey: { paths: ['/id'] }, throughput: { manual: 1000 } });
  await open('#/d/shop/grows/map');
  await facts(page, '1 partition');
  await page.getByRole('button', { name: 'Scale' }).click();
  const dialog = page.getByRole('dialog', { name: 'Throughput' });
  await dialog.getByRole('spinbutton').fill('25000');
  await dialog.getByText('orrery throughput shop/grows --set 25000').waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/25,000 RU\/s manual/).waitFor();
  // As many as carry it, whichever way the server cuts.
  await eventually(async () => assert.ok(Number(/(\d+) partitions/.exec(await page.getByRole('main').textContent())[1]) >= 3));
});

it('shows throttling on Home, with its key', async ({ page, open, server }) => {
  await server.container('shop', 'busy', { partitionKey: { paths: ['/customer'] }, throughput: { manual: 400 } });
  await open('#/');
  let busy = true;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; busy; i++) await server.admin('POST', `${server.items('shop', 'busy')}?upsert=true`, { id: `${writer}-${i % 50}`, customer: 'ann', text: 'x'.repeat(2000) }).catch(() => {});
  });
  try {
    await page.getByRole('region', { name: 'Needs a look' }).getByText(/shop\/busy: partition \d+ refuses [\d,]+ requests? a second/).waitFor();
    await page.getByRole('region', { name: 'Latest events' }).getByText(/[Tt]hrottling .*hottest key ann/).waitFor();
    await page.getByRole('region', { name: 'Needs a look' }).getByRole('link', { name: 'show on the map' }).first().click();
    await page.getByRole('heading', { name: 'shop/busy' }).waitFor();
  } finally {
    busy = false;
    await Promise.all(writers);
  }
});

it('draws a thousand partitions every second', async ({ page, open }) => {
  // The load of a container with a thousand partitions, as the server would tell it.
  const many = 1000;
  const hex = (value) => value.toString(16).padStart(32, '0').toUpperCase();
  const width = (1n << 126n) / BigInt(many);
  let asked = 0;
  await page.route('**/_admin/v1/load', async (route) => {
    asked++;
    const column = (value) => Array.from({ length: many }, (_, i) => value(i));
    await route.fulfill({ json: { time: Date.now(), bytesMax: 1e9, containers: [{ database: 'shop', container: 'orders', metered: true }],
      slices: { container: column(() => 0), id: column((i) => i + 1), begin: column((i) => hex(BigInt(i) * width)), last: column((i) => (i === many - 1 ? 'F'.repeat(32) : hex(BigInt(i + 1) * width - 1n))),
        bytes: column((i) => i * 1e6), items: column(() => 9), rate: column(() => 1000), used: column((i) => (asked * 13 + i * 7) % 1200), throttled: column((i) => (i % 97 === 0 ? 3 : 0)),
        throttledTotal: column(() => 0), node: column(() => 0), open: column(() => true) } } });
  });
  await open('#/d/shop/orders/map');
  await facts(page, '1,000 partitions');
  await eventually(() => assert.ok(asked >= 4));
  // What the main thread was busy with for the last turns: a frame a second or better.
  const longest = await page.evaluate(() => new Promise((resolve) => {
    const spans = [];
    let before = performance.now();
    const turn = (now) => {
      spans.push(now - before);
      before = now;
      if (spans.length >= 120) resolve(spans.sort((a, b) => a - b)[Math.floor(spans.length * 0.9)]);
      else requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }));
  assert.ok(longest < 1000, `a frame took ${longest} ms`);
  await page.getByText('The same as a table').click();
  await page.getByRole('button', { name: 'Partition 1000', exact: true }).waitFor();
});
