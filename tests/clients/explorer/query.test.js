// The workbench: every API's language, what it cost and why, errors with their place.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { accessible, eventually, useExplorer, write } = require('./explorer_suite');

const { it } = useExplorer({
  prepare: async (server) => {
    await server.container('shop', 'orders', { partitionKey: { paths: ['/customer'] }, throughput: { manual: 40000 } });
    for (let i = 0; i < 120; i++) await server.admin('POST', server.items('shop', 'orders'), { id: String(i), customer: `customer-${i % 12}`, total: i });
  },
});

const result = (page) => page.getByRole('region', { name: 'Result', exact: true });
const facts = (page, text) => result(page).getByRole('status').filter({ hasText: text }).waitFor();

it('explains the charge of a query in parts that sum to it', async ({ page, open }) => {
  await open('#/query?db=shop&c=orders&api=sql');
  await write(page, 'Query', 'SELECT c.customer, SUM(c.total) AS sum FROM c WHERE c.total > 10 GROUP BY c.customer');
  await page.keyboard.press('Control+Enter');
  await facts(page, /^12 rows · .* RU$/);
  const charged = /([\d.,]+) RU/.exec(await result(page).getByRole('status').textContent())[1];
  const why = page.getByRole('region', { name: 'Charge explained' });
  await why.getByRole('heading', { name: `Why ${charged} RU?` }).waitFor();
  const parts = (await why.getByRole('row').filter({ hasNotText: 'Sum' }).getByRole('cell').allTextContents()).filter((_, i) => i % 5 === 4).map(Number);
  assert.ok(parts.length >= 2);
  assert.equal(parts.reduce((sum, part) => sum + Math.round(part * 100), 0), Math.round(Number(charged) * 100));
  await why.getByRole('row', { name: `Sum ${charged}` }).waitFor();
  await accessible(page);
});

it('shows results as table, JSON and chart, and exports them', async ({ page, open }) => {
  await open('#/query?db=shop&c=orders&api=sql');
  await write(page, 'Query', "SELECT TOP 5 c.customer, c.total FROM c WHERE c.customer = 'customer-1' ORDER BY c.total");
  await page.getByRole('button', { name: 'Run' }).click();
  await facts(page, /^5 rows/);
  await result(page).getByRole('button', { name: 'JSON', exact: true }).click();
  await result(page).getByRole('region', { name: 'Result as JSON' }).getByText('"customer": "customer-1"').first().waitFor();
  await result(page).getByRole('button', { name: 'Chart' }).click();
  await result(page).getByRole('listitem').nth(4).waitFor();
  await accessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), result(page).getByRole('button', { name: 'CSV' }).click()]);
  assert.match(fs.readFileSync(await download.path(), 'utf8'), /^customer,total\r\ncustomer-1,1\r\n/);
});

it('pages through many rows', async ({ page, open }) => {
  await open('#/query?db=shop&c=orders&api=sql');
  await write(page, 'Query', 'SELECT * FROM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await facts(page, /^100 rows/);
  await result(page).getByRole('button', { name: 'More rows' }).click();
  await facts(page, /^120 rows in 2 pages/);
});

it('tells what is wrong, in the words of the API', async ({ page, open }) => {
  await open('#/query?db=shop&c=orders&api=sql');
  await write(page, 'Query', 'SELEC * FROM c');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('alert').filter({ hasText: /[Ss]yntax|SC1001/ }).waitFor();
  await accessible(page);
});

it('takes parameters, and remembers what was run', async ({ page, open }) => {
  await open('#/query?db=shop&c=orders&api=sql');
  await write(page, 'Query', 'SELECT VALUE COUNT(1) FROM c WHERE c.total >= @n');
  await page.getByRole('button', { name: 'Parameters' }).click();
  await write(page, 'Parameters as JSON', '{"@n": 100}');
  await page.getByRole('button', { name: 'Run' }).click();
  await facts(page, /^1 row/);
  await result(page).getByRole('cell', { name: '20', exact: true }).waitFor();
  await page.reload();
  await page.getByText('History', { exact: true }).click();
  await page.getByRole('button', { name: /SELECT VALUE COUNT\(1\)/ }).click();
  await page.getByText('Saved', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of this query' }).fill('how many');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /^how many/ }).waitFor();
  await accessible(page);
});

it('speaks CQL', async ({ page, open }) => {
  await open('#/query?api=cassandra');
  const run = async (text) => {
    await write(page, 'Query', text);
    await page.keyboard.press('Control+Enter');
  };
  await run("CREATE KEYSPACE uprofile WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  await result(page).getByText('The statement is done').waitFor();
  await run('CREATE TABLE uprofile.user (user text, id int, message text, PRIMARY KEY (user, id))');
  await result(page).getByText('The statement is done').waitFor();
  await run("INSERT INTO uprofile.user (user, id, message) VALUES ('theo', 1, 'hello')");
  await result(page).getByText('The statement is done').waitFor();
  await run('SELECT * FROM uprofile.user');
  await facts(page, /^1 row/);
  await result(page).getByRole('cell', { name: 'hello' }).waitFor();
  await run('SELECT nothing FROM uprofile.user');
  await page.getByRole('alert').filter({ hasText: 'nothing' }).waitFor();
  // The data page shows its rows by their columns.
  await page.goto(page.url().replace(/#.*/, '#/d/uprofile/user/data'));
  await page.getByRole('region', { name: 'Table' }).getByRole('columnheader', { name: /^user/ }).waitFor();
  await page.getByRole('textbox', { name: 'user' }).fill('theo');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('cell', { name: 'hello' }).waitFor();
  await accessible(page);
});

it('speaks MongoDB\'s language', async ({ page, open, server }) => {
  await server.container('test', 'people', {}).catch(() => {});
  await open('#/query?db=test&c=people&api=mongo');
  await write(page, 'Query', 'db.things.insertOne({name: "ann", age: 41})');
  await page.keyboard.press('Control+Enter');
  await facts(page, /row|Done/);
  await write(page, 'Query', 'db.things.find({age: {$gt: 40}})');
  await page.keyboard.press('Control+Enter');
  await facts(page, /^1 row/);
  await result(page).getByRole('cell', { name: 'ann' }).waitFor();
});

it('draws graphs', async ({ page, open, server }) => {
  await server.container('graphs', 'g', { partitionKey: { paths: ['/_pk'] } });
  await open('#/query?db=graphs&c=g&api=gremlin');
  await write(page, 'Query', "g.addV('person').property('id','a').property('name','marko').as('a').addV('person').property('id','b').property('name','vadas').addE('knows').from('a')");
  await page.keyboard.press('Control+Enter');
  await facts(page, /^1 row/);
  await write(page, 'Query', 'g.V()');
  await page.keyboard.press('Control+Enter');
  await facts(page, /^2 rows/);
  await result(page).getByRole('button', { name: 'person marko' }).waitFor();
  await accessible(page);
});
