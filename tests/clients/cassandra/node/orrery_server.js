// A built `orrery` with CQL ports, and clients of the Node driver on it. One server per test file.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');
const cassandra = require('cassandra-driver');

const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const REPLICATION = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
// Only a hung server ever gets there.
const PATIENCE_MS = 60000;
const LINGER_MS = 500;

class Server {
  // `ports`: Cassandra's, and the one that asks everybody for credentials.
  static async start(data, ports = 'any,any') {
    const server = new Server();
    server.data = data;
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', data, '--sql-port', '0', '--cassandra-port', ports,
      '--durability', 'os', '--log-level', 'warn'], { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(server.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    const found = /cassandra +127\.0\.0\.1:(\d+).*\n +127\.0\.0\.1:(\d+)/.exec(welcome);
    if (!found) throw new Error('the server did not start: ' + welcome);
    [server.port, server.accountPort] = [Number(found[1]), Number(found[2])];
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }

  // A new server on the data and ports of this one, which has ended.
  startAgain() {
    return Server.start(this.data, `${this.port},${this.accountPort}`);
  }

  certificate() {
    return fs.readFileSync(path.join(this.data, 'tls', 'tls-certificate.pem'));
  }
}

// Call once per file: starts a server before its tests and ends it after them. The fixture has .server,
// .client (in a keyspace of this file) and connect(options) for more clients; `prepare` runs last.
function useServer(keyspace, prepare = async () => {}) {
  const fixture = { keyspace, clients: [] };
  fixture.connect = async (options = {}) => {
    const { port = fixture.server.port, ...rest } = options;
    const client = new cassandra.Client({
      contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', protocolOptions: { port },
      socketOptions: { readTimeout: PATIENCE_MS, connectTimeout: PATIENCE_MS },
      policies: { reconnection: new cassandra.policies.reconnection.ConstantReconnectionPolicy(50) }, ...rest });
    fixture.clients.push(client);
    await client.connect();
    return client;
  };
  before(async () => {
    fixture.root = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery_node_'));
    fixture.server = await Server.start(path.join(fixture.root, 'data'));
    fixture.client = await fixture.connect();
    await fixture.client.execute(`CREATE KEYSPACE ${keyspace} ${REPLICATION}`);
    await fixture.client.execute(`USE ${keyspace}`);
    await prepare(fixture.client);
  });
  after(async () => {
    await Promise.all(fixture.clients.map((client) => client.shutdown()));
    await fixture.server.stop();
    fs.rmSync(fixture.root, { recursive: true, force: true });
    // After a reconnection the driver forgets to shut one of its pools down, and that one would keep the process.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  });
  return fixture;
}

module.exports = { ACCOUNT_KEY, PATIENCE_MS, REPLICATION, Server, useServer };
