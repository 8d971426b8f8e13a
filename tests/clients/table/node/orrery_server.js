// A built `orrery`, and clients of npm's @azure/data-tables on it. One server per test file.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');
const { AzureNamedKeyCredential, TableClient, TableServiceClient } = require('@azure/data-tables');

const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const EMULATOR_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

// What a suite talks to: each port by its own account, in the clear or by TLS.
const DOORS = {
  cosmos: { account: 'localhost', key: ACCOUNT_KEY, port: 'tablePort', path: '' },
  storage: { account: 'devstoreaccount1', key: EMULATOR_KEY, port: 'storagePort', path: '/devstoreaccount1' },
};

class Server {
  static async start(data, ports = 'any,any') {
    const server = new Server();
    server.data = data;
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', data, '--sql-port', '0', '--sql-direct-port', '0',
      '--cassandra-port', '0', '--table-port', ports, '--durability', 'os', '--log-level', 'warn'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(server.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    const sql = /AccountEndpoint=http:\/\/127\.0\.0\.1:(\d+)\//.exec(welcome);
    const table = /TableEndpoint=http:\/\/127\.0\.0\.1:(\d+)\/;\n\s+127\.0\.0\.1:(\d+) /.exec(welcome);
    if (!sql || !table) throw new Error('the server did not start: ' + welcome);
    server.sqlPort = Number(sql[1]);
    server.tablePort = Number(table[1]);
    server.storagePort = Number(table[2]);
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }

  startAgain() {
    return Server.start(this.data, `${this.tablePort},${this.storagePort}`);
  }
}

// Call once per file: starts a server before its tests and ends it after them. The fixture has .server, .service
// and table(name, options), which makes a table and returns its client.
function useServer({ door = 'cosmos', tls = false } = {}) {
  const fixture = { door: DOORS[door] };
  const { account, key } = fixture.door;
  fixture.credential = new AzureNamedKeyCredential(account, key);
  fixture.endpoint = () =>
    `${tls ? 'https' : 'http'}://localhost:${fixture.server[fixture.door.port]}${fixture.door.path}`;
  fixture.options = () => ({
    allowInsecureConnection: true,
    tlsOptions: tls ? { ca: fs.readFileSync(path.join(fixture.server.data, 'tls', 'tls-certificate.pem')) } : undefined,
  });
  fixture.client = (name, options = {}) =>
    new TableClient(fixture.endpoint(), name, fixture.credential, { ...fixture.options(), ...options });
  fixture.table = async (name) => {
    const client = fixture.client(name);
    await client.createTable();
    return client;
  };
  before(async () => {
    fixture.root = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery_tables_'));
    fixture.server = await Server.start(path.join(fixture.root, 'data'));
    fixture.service = new TableServiceClient(fixture.endpoint(), fixture.credential, fixture.options());
  });
  after(async () => {
    await fixture.server.stop();
    fs.rmSync(fixture.root, { recursive: true, force: true });
  });
  return fixture;
}

// Rejects unless `promise` fails with that status and error code.
async function refuses(promise, status, code) {
  try {
    await promise;
  } catch (error) {
    if (error.statusCode !== status) throw error;
    const found = error.code ?? error.details?.odataError?.code;
    if (code !== undefined && found !== code && error.details?.odataError?.code !== code)
      throw new Error(`error code ${found}, not ${code}: ${error.message}`);
    return error;
  }
  throw new Error('not refused');
}

async function all(iterator) {
  const found = [];
  for await (const each of iterator) found.push(each);
  return found;
}

module.exports = { ACCOUNT_KEY, all, refuses, useServer };
