// A built `orrery`, and clients of npm's gremlin on it. One server per test file.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { after, before } = require('node:test');

const ACCOUNT = 'localhost';
const ACCOUNT_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

// TinkerPop's sample graph.
const MODERN = [
  "g.addV('person').property(T.id, 1).property('name', 'marko').property('age', 29)",
  "g.addV('person').property(T.id, 2).property('name', 'vadas').property('age', 27)",
  "g.addV('software').property(T.id, 3).property('name', 'lop').property('lang', 'java')",
  "g.addV('person').property(T.id, 4).property('name', 'josh').property('age', 32)",
  "g.addV('software').property(T.id, 5).property('name', 'ripple').property('lang', 'java')",
  "g.addV('person').property(T.id, 6).property('name', 'peter').property('age', 35)",
  "g.addE('knows').from(V(1)).to(V(2)).property(T.id, 7).property('weight', 0.5d)",
  "g.addE('knows').from(V(1)).to(V(4)).property(T.id, 8).property('weight', 1.0d)",
  "g.addE('created').from(V(1)).to(V(3)).property(T.id, 9).property('weight', 0.4d)",
  "g.addE('created').from(V(4)).to(V(5)).property(T.id, 10).property('weight', 1.0d)",
  "g.addE('created').from(V(4)).to(V(3)).property(T.id, 11).property('weight', 0.4d)",
  "g.addE('created').from(V(6)).to(V(3)).property(T.id, 12).property('weight', 0.2d)",
];

class Server {
  static async start(data) {
    const server = new Server();
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORRERY_')));
    server.process = spawn(process.env.ORRERY, ['serve', '--data', data, '--sql-port', '0', '--sql-direct-port', '0', '--cassandra-port', '0',
      '--table-port', '0', '--mongo-port', '0', '--gremlin-port', 'any,any', '--durability', 'os', '--log-level', 'warn'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
    server.ended = new Promise((resolve) => server.process.once('exit', resolve));
    let welcome = '';
    for await (const line of readline.createInterface(server.process.stdout)) {
      welcome += line + '\n';
      if (line.startsWith('Ready in')) break;
    }
    const native = /ws:\/\/127\.0\.0\.1:(\d+)\/gremlin/.exec(welcome);
    const account = /127\.0\.0\.1:(\d+) +\(with credentials: user \/dbs/.exec(welcome);
    const sql = /AccountEndpoint=http:\/\/127\.0\.0\.1:(\d+)/.exec(welcome);
    if (!native || !account || !sql) throw new Error('the server did not start: ' + welcome);
    server.port = Number(native[1]);
    server.accountPort = Number(account[1]);
    server.sqlPort = Number(sql[1]);
    return server;
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
  }
}

// Call once per file: starts a server before its tests and ends it after them; `prepare` is called when it runs.
// What open() is given is closed in the end.
function useServer(prepare) {
  const fixture = { opened: [] };
  fixture.open = (thing) => {
    fixture.opened.push(thing);
    return thing;
  };
  before(async () => {
    fixture.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-gremlin-'));
    fixture.server = await Server.start(path.join(fixture.folder, 'data'));
    await prepare();
  });
  after(async () => {
    for (const thing of fixture.opened) await thing.close();
    await fixture.server.stop();
    fs.rmSync(fixture.folder, { recursive: true, force: true });
  });
  return fixture;
}

module.exports = { ACCOUNT, ACCOUNT_KEY, MODERN, useServer };
