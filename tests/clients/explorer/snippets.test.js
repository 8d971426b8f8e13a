// Every piece of code of the connect page works as it stands there: it is copied from the page and run.
'use strict';
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const { useExplorer } = require('./explorer_suite');

const { it } = useExplorer({ flags: ['--sql-default-throughput', '4000'] });
const run = promisify(execFile);
const AZURE_COSMOS = 'azure-cosmos==4.17.0';
const RUN_MS = 120_000;

// A Python that has the newest client of the SQL API, which Debian has not; the other drivers are Debian's.
async function pythonWithCosmos() {
  const folder = path.join(process.env.ORRERY_FAILED, '..', 'python');
  const python = path.join(folder, 'bin', 'python');
  if (!fs.existsSync(path.join(folder, 'installed'))) {
    await run('/usr/bin/python3', ['-m', 'venv', '--clear', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', AZURE_COSMOS]);
    fs.writeFileSync(path.join(folder, 'installed'), '');
  }
  return python;
}

it('runs every snippet of the connect page', async ({ page, open }) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery_snippets_'));
  try {
    await open('#/connect');
    await page.getByRole('button', { name: 'Show the key' }).click();
    const clients = page.getByRole('group', { name: 'Client' });
    await clients.getByRole('button').first().waitFor();
    const names = await clients.getByRole('button').allTextContents();
    assert.deepEqual(names, ['SQL, JavaScript', 'SQL, Python', 'Admin interface, curl', 'CQL, Python', 'CQL, JavaScript', 'MongoDB, JavaScript', 'MongoDB, Python', 'Table, JavaScript', 'Gremlin, JavaScript']);
    for (const name of names) {
      await clients.getByRole('button', { name, exact: true }).click();
      const block = page.getByRole('region', { name, exact: true });
      await block.filter({ hasNotText: '<account key>' }).waitFor();
      const code = await block.textContent();
      const options = { timeout: RUN_MS, env: process.env, cwd: folder };
      const [program, suffix] = name.includes('JavaScript') ? [process.execPath, 'js'] : name.includes('curl') ? ['sh', 'sh'] : [name === 'SQL, Python' ? await pythonWithCosmos() : '/usr/bin/python3', 'py'];
      const file = path.join(folder, `${names.indexOf(name)}.${suffix}`);
      fs.writeFileSync(file, code);
      const { stdout } = await run(program, [file], options);
      assert.match(stdout, name.includes('curl') ? /"status":"ok"/ : /^1 found$/m, name);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
