// A built `orrery`, and clients of npm's mongodb on it: of version 6, or of the package that a test names. One server per test file.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');

const ACCOUNT = 'localhost';
const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

class Server {
  static async start(data) {
    const server = new Server();
    server.data = data;
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', data, '--sql-port', '0', '--cassandra-port', '0', '--table-port', '0',
      '--mongo-port', 'any,any', '--durability', 'os', '--log-level', 'warn'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(server.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    const native = /mongodb:\/\/127\.0\.0\.1:(\d+)/.exec(welcome);
    const account = /127\.0\.0\.1:(\d+) +\(with credentials/.exec(welcome);
    if (!native || !account) throw new Error('the server did not start: ' + welcome);
    server.port = Number(native[1]);
    server.accountPort = Number(account[1]);
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }
}

// Call once per file: starts a server before its tests and ends it after them. The fixture has .server and .client, and
// connect(options, port) for more clients.
function useServer(driver = 'mongodb') {
  const { MongoClient } = require(driver);
  const fixture = { clients: [] };
  fixture.connect = async (options = {}, port = fixture.server.port) => {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, options);
    fixture.clients.push(client);
    await client.connect();
    return client;
  };
  before(async () => {
    fixture.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-mongo-'));
    fixture.server = await Server.start(path.join(fixture.folder, 'data'));
    fixture.client = await fixture.connect();
  });
  after(async () => {
    for (const client of fixture.clients) await client.close();
    await fixture.server.stop();
    fs.rmSync(fixture.folder, { recursive: true, force: true });
  });
  return fixture;
}

module.exports = { ACCOUNT, ACCOUNT_KEY, useServer };
