// A built `orrery` with a browser on its explorer. One server and one browser per test file; each test has a page of
// its own, which fails its test when it reports a breach of its content security policy, an error of a script, or a
// request to another host.
'use strict';
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { chromium } = require('playwright-core');

const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
// Only a hung page or server reaches it.
const PATIENCE_MS = 60_000;
const BROWSER_FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

class Server {
  static async start(root, flags) {
    const server = new Server();
    const ready = path.join(root, 'ready.json');
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', path.join(root, 'data'), '--durability', 'os', '--sql-port', '0', '--sql-direct-port', 'any',
      '--cassandra-port', 'any', '--mongo-port', 'any', '--table-port', 'any', '--gremlin-port', 'any', '--log-level', 'warn', '--ready-file', ready, ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    await new Promise((resolve, reject) => {
      server.process.stdout.on('data', (data) => {
        welcome += data;
        if (/^Ready in/m.test(welcome)) resolve();
      });
      server.ended.then(() => reject(new Error('the server did not start: ' + welcome)));
    });
    server.facts = JSON.parse(fs.readFileSync(ready, 'utf8'));
    server.url = `http://127.0.0.1:${/:(\d+) \(http/.exec(welcome)[1]}`;
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }

  // Asks the admin interface, as scripts do.
  async admin(method, target, body, headers = {}) {
    const response = await fetch(`${this.url}/_admin/v1/${target}`, {
      method, body: body && JSON.stringify(body), headers: { authorization: `Bearer ${ACCOUNT_KEY}`, ...headers } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  async container(database, id, settings = { partitionKey: { paths: ['/customer'] } }) {
    await this.admin('POST', 'databases', { id: database }).catch(() => {});
    return this.admin('POST', `databases/${encodeURIComponent(database)}/containers`, { id, ...settings });
  }

  items(database, container) {
    return `databases/${encodeURIComponent(database)}/containers/${encodeURIComponent(container)}/items`;
  }
}

// Call once per file; `prepare(server)` runs before its tests. `it` is a test with an open page:
//   it('does this', async ({ page, open }) => { await open('#/'); ... })
function useExplorer({ flags = [], prepare = async () => {} } = {}) {
  const fixture = {};
  before(async () => {
    fixture.root = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery_explorer_'));
    fixture.server = await Server.start(fixture.root, flags);
    fixture.context = await chromium.launchPersistentContext(path.join(fixture.root, 'browser'), {
      executablePath: process.env.ORRERY_CHROMIUM, headless: true, args: BROWSER_FLAGS, viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce',
      acceptDownloads: true });
    fixture.context.setDefaultTimeout(PATIENCE_MS);
    await prepare(fixture.server);
  });
  after(async () => {
    await fixture.context?.close();
    await fixture.server?.stop();
    fs.rmSync(fixture.root, { recursive: true, force: true });
  });

  fixture.it = (name, body) => test(name, async () => {
    const log = [];
    const page = await fixture.context.newPage();
    page.on('pageerror', (error) => log.push(`error: ${error.stack}`));
    page.on('console', (message) => {
      // What the server refuses is said by the browser, too.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) log.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== fixture.server.url) log.push(`request: ${request.url()}`);
    });
    await page.addInitScript(() => addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
    const open = async (hash) => {
      await page.goto(`${fixture.server.url}/_explorer/${hash}`);
      await page.getByRole('banner').waitFor();
    };
    try {
      await body({ page, open, log, context: fixture.context, server: fixture.server });
      assert.deepEqual(log, []);
    } catch (error) {
      const folder = process.env.ORRERY_FAILED;
      fs.mkdirSync(folder, { recursive: true });
      const file = path.join(folder, `${path.basename(process.argv[1] ?? 'test', '.js')}_${name.replace(/\W+/g, '_')}`);
      await page.screenshot({ path: `${file}.png`, fullPage: true }).catch(() => {});
      fs.writeFileSync(`${file}.log`, `${page.url()}\n${log.join('\n')}\n${await page.locator('body').ariaSnapshot().catch(() => '')}\n`);
      error.message += `\n(picture and log: ${file}.png)`;
      throw error;
    } finally {
      await page.close();
    }
  });
  return fixture;
}

// Finds out what axe has against the page, in light and dark.
async function accessible(page) {
  const client = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Scripts that follow the scheme have drawn again after two frames.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Not by a script element, which the policy would not allow.
    await client.send('Runtime.evaluate', { expression: axeSource });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
    assert.deepEqual(found, [], `axe, ${colorScheme}, ${page.url()}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  await client.detach();
}

// Waits until `check` does not throw, with a bound that only a hung server reaches.
async function eventually(check) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

// Replaces the text of an editor.
async function write(page, label, text) {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

module.exports = { ACCOUNT_KEY, PATIENCE_MS, accessible, eventually, useExplorer, write };
