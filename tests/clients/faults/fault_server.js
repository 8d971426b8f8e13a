// A built `orrery` that makes faults on demand, for the suites that look at how official clients retry. The clients
// themselves are the suites' own.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');

// Call once per file: starts a server before its tests, calls `prepare`, and ends it after them. The fixture has .ready
// (the ready file: ports, variables, key), fault(kind, rule), made(), which counts the faults that were met, clear(), and
// closing: what is to be closed before the server ends.
function useFaultyServer(prepare) {
  const fixture = {};
  const admin = async (method, body) => {
    const response = await fetch(`${fixture.ready.variables.ORRERY_URL}_admin/v1/faults`, {
      method, body: body && JSON.stringify(body), headers: { authorization: `Bearer ${fixture.ready.key}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  };
  fixture.fault = (kind, rule = {}) => admin('POST', { fault: String(kind), ...rule });
  fixture.clear = () => admin('DELETE');
  fixture.made = async () => (await admin('GET')).faults.reduce((sum, each) => sum + each.made, 0);
  // Runs `work` with that fault on, and returns how often it was met and what `work` gave.
  fixture.under = async (kind, rule, work) => {
    await fixture.fault(kind, rule);
    try {
      const result = await work();
      return { met: await fixture.made(), result };
    } finally {
      await fixture.clear();
    }
  };
  before(async () => {
    fixture.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-faults-'));
    const readyFile = path.join(fixture.folder, 'ready.json');
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    fixture.process = spawn(process.env.ORRERY, ['serve', '--allow-faults', '--data', path.join(fixture.folder, 'data'),
      '--sql-port', '0', '--sql-direct-port', 'any', '--cassandra-port', 'any', '--table-port', 'any', '--mongo-port', 'any',
      '--gremlin-port', 'any', '--ready-file', readyFile, '--durability', 'os', '--log-level', 'warn'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    fixture.ended = new Promise((resolve) => fixture.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(fixture.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    if (!fs.existsSync(readyFile)) throw new Error('the server did not start: ' + welcome);
    fixture.ready = JSON.parse(fs.readFileSync(readyFile));
    await prepare();
  });
  fixture.stop = async () => {
    fixture.process.kill('SIGTERM');
    await fixture.ended;
    fs.rmSync(fixture.folder, { recursive: true, force: true });
  };
  fixture.closing = [];
  after(async () => {
    for (const close of fixture.closing.reverse()) await close();
    await fixture.stop();
    // Some clients keep timers.
    setTimeout(() => process.exit(), 500).unref();
  });
  return fixture;
}

module.exports = { useFaultyServer };
