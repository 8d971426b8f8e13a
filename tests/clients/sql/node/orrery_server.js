// A built `orrery`, and clients of npm's @azure/cosmos on it. One server per test file.
'use strict';
const { spawn } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const https = require('node:https');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');
const { CosmosClient } = require('@azure/cosmos');

const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const LINGER_MS = 500;

class Server {
  // With the default of 400 RU/s suites would wait for their budget.
  static async start(data, { port = 0, defaultThroughput = 10000 } = {}) {
    const server = new Server();
    server.data = data;
    server.defaultThroughput = defaultThroughput;
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', data, '--sql-port', String(port),
      '--cassandra-port', '0', '--durability', 'os', '--log-level', 'warn',
      '--sql-default-throughput', String(defaultThroughput)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(server.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    const found = /AccountEndpoint=http:\/\/127\.0\.0\.1:(\d+)\/;AccountKey=/.exec(welcome);
    if (!found) throw new Error('the server did not start: ' + welcome);
    server.port = Number(found[1]);
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }

  startAgain() {
    return Server.start(this.data, { port: this.port, defaultThroughput: this.defaultThroughput });
  }

  // Asks the admin interface, which clients of the SQL API do not know.
  async admin(method, target, body) {
    const response = await fetch(`http://127.0.0.1:${this.port}/_admin/v1${target}`, {
      method, body: body && JSON.stringify(body), headers: { authorization: `Bearer ${ACCOUNT_KEY}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
}

// Call once per file: starts a server before its tests and ends it after them. The fixture has .server, .client
// and .database (of this file), connect(options) for more clients and container(definition, options) for new ones.
function useServer(name, { tls = false, defaultThroughput = undefined } = {}) {
  const fixture = { clients: [] };
  fixture.endpoint = () => `${tls ? 'https' : 'http'}://localhost:${fixture.server.port}`;
  fixture.connect = (options = {}) => {
    const agent = tls ? new https.Agent({ ca: fs.readFileSync(
      path.join(fixture.server.data, 'tls', 'tls-certificate.pem')), keepAlive: true }) : undefined;
    const credentials = options.resourceTokens || options.permissionFeed ? {} : { key: ACCOUNT_KEY };
    const client = new CosmosClient({ endpoint: fixture.endpoint(), agent, ...credentials, ...options });
    fixture.clients.push(client);
    return client;
  };
  fixture.container = async (definition = {}, options = {}) => {
    const { container } = await fixture.database.containers.create(
      { id: crypto.randomUUID(), partitionKey: { paths: ['/pk'], version: 2 }, ...definition }, options);
    return container;
  };
  before(async () => {
    fixture.root = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery_cosmos_'));
    fixture.server = await Server.start(path.join(fixture.root, 'data'), { defaultThroughput });
    fixture.client = fixture.connect();
    ({ database: fixture.database } = await fixture.client.databases.create({ id: name }));
  });
  after(async () => {
    for (const client of fixture.clients) client.dispose();
    await fixture.server.stop();
    fs.rmSync(fixture.root, { recursive: true, force: true });
    // The client keeps a timer for its account's regions.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  });
  return fixture;
}

// Rejects unless `promise` fails with that status (and substatus).
async function refuses(promise, code, substatus) {
  let outcome;
  try {
    outcome = await promise;
  } catch (error) {
    if (error.code !== code) throw error;
    if (substatus !== undefined && Number(error.substatus) !== substatus)
      throw new Error(`substatus ${error.substatus}, not ${substatus}`);
    return error;
  }
  throw new Error(`not refused: ${JSON.stringify(outcome.resource ?? outcome)}`);
}

module.exports = { ACCOUNT_KEY, Server, refuses, useServer };
