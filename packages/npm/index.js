'use strict';
// Orrery for test code: starts a throw-away server, and says where it is.
//
//   const server = await require('orrery').start({ seed: 'tests/seed' });
//   const client = new MongoClient(server.variables.MONGODB_URI);
//   await server.stop();
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const STOP_TIME_MS = 15_000;
const POLL_MS = 5;

/** The path of the `orrery` program. */
function program() {
  const file = path.join(__dirname, 'program', 'bin', 'orrery');
  try {
    fs.accessSync(file, fs.constants.X_OK);
  } catch {
    fs.chmodSync(file, 0o755); // some unpackers lose it
  }
  return file;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a server at free ports and resolves when it is ready: { variables, ports, endpoints, account, key, pid,
 * stop() }. `flags`: any of `orrery serve`. Rejects with what the server said when it does not start.
 */
async function start({ seed, data = 'memory', allowReset = false, flags = [], timeout = 60_000 } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-'));
  const readyFile = path.join(folder, 'ready.json');
  const args = ['serve', '--data', data, '--ready-file', readyFile, '--sql-port', '0', '--sql-direct-port', 'any',
    '--log-level', 'warn'];
  for (const api of ['cassandra', 'mongo', 'table', 'gremlin']) args.push(`--${api}-port`, 'any,any');
  if (seed !== undefined) args.push('--seed', seed);
  if (allowReset) args.push('--allow-reset');
  const child = spawn(program(), [...args, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  let ended = false;
  child.stderr.on('data', (piece) => { said += piece; });
  const end = new Promise((resolve) => child.on('close', () => { ended = true; resolve(); }));
  child.on('error', (error) => { said += error.message; ended = true; });
  const cleanUp = () => fs.rmSync(folder, { recursive: true, force: true });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const deadline = Date.now() + timeout;
  while (!fs.existsSync(readyFile)) {
    if (ended || Date.now() > deadline) {
      kill();
      process.removeListener('exit', kill);
      cleanUp();
      throw new Error(`the server did not start: ${said.trim()}`);
    }
    await pause(POLL_MS);
  }
  const ready = JSON.parse(fs.readFileSync(readyFile, 'utf8'));
  child.stderr.unref?.();
  child.unref();
  return {
    ...ready,
    async stop() {
      if (!ended) {
        child.ref();
        child.kill('SIGTERM');
        const late = setTimeout(kill, STOP_TIME_MS);
        await end;
        clearTimeout(late);
      }
      process.removeListener('exit', kill);
      cleanUp();
    },
  };
}

module.exports = { program, start };
