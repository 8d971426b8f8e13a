// cassandra-driver meets faults on demand: what its own policies try again, and what a policy of the program does.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const cassandra = require('cassandra-driver');
const { useFaultyServer } = require('../../faults/fault_server');

const fixture = useFaultyServer(prepare);
const { RetryPolicy } = cassandra.policies.retry;
const { responseErrorCodes } = cassandra.types;
let client;
let patient;

// Tries everything again, as policies for Azure do.
class PatientPolicy extends RetryPolicy {
  onReadTimeout(info) { return this.decide(info); }
  onWriteTimeout(info) { return this.decide(info); }
  onUnavailable(info) { return this.decide(info); }
  onRequestError(info) { return this.decide(info); }
  decide(info) { return info.nbRetry < 5 ? this.retryResult(undefined, true) : this.rethrowResult(); }
}

async function connect(options = {}) {
  const { CASSANDRA_HOST, CASSANDRA_PORT, CASSANDRA_DATACENTER } = fixture.ready.variables;
  const made = new cassandra.Client({ contactPoints: [CASSANDRA_HOST], localDataCenter: CASSANDRA_DATACENTER,
    protocolOptions: { port: Number(CASSANDRA_PORT) }, ...options,
    policies: { reconnection: new cassandra.policies.reconnection.ConstantReconnectionPolicy(20), ...options.policies } });
  fixture.closing.push(() => made.shutdown());
  await made.connect();
  return made;
}

async function prepare() {
  client = await connect();
  await client.execute("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  await client.execute('CREATE TABLE k.t (a int PRIMARY KEY, b int)');
  await client.execute('INSERT INTO k.t (a, b) VALUES (1, 1)');
  patient = await connect({ policies: { retry: new PatientPolicy() } });
}

const options = { prepare: true, isIdempotent: true };
const read = async (by) => (await by.execute('SELECT b FROM k.t WHERE a = ?', [1], options)).first().b;
const write = (by) => by.execute('INSERT INTO k.t (a, b) VALUES (?, ?)', [2, 2], options);

test("the driver's own policy reads again after a read time-out, and writes a logged batch again", async () => {
  assert.deepEqual(await fixture.under(408, { count: 1, operation: 'read' }, () => read(client)), { met: 1, result: 1 });
  const batch = await fixture.under(408, { count: 1, operation: 'batch' },
    () => client.batch([{ query: 'INSERT INTO k.t (a, b) VALUES (?, ?)', params: [3, 3] }], options));
  assert.equal(batch.met, 1);
});

test('errors have the fields that policies look at', async () => {
  const failure = async (kind, work) => {
    let seen;
    await fixture.under(kind, {}, () => assert.rejects(work(client), (error) => { seen = error; return true; }));
    return seen.innerErrors ? Object.values(seen.innerErrors)[0] : seen;
  };
  const throttled = await failure(429, read);
  assert.equal(throttled.code, responseErrorCodes.overloaded);
  assert.match(throttled.message, /RetryAfterMs=10,/);
  const written = await failure(408, write);
  assert.equal(written.code, responseErrorCodes.writeTimeout);
  assert.deepEqual([written.writeType, written.received, written.blockFor], ['SIMPLE', 0, 1]);
  assert.equal((await failure(449, write)).writeType, 'CAS');
  const unavailable = await failure(503, read);
  assert.equal(unavailable.code, responseErrorCodes.unavailableException);
  assert.deepEqual([unavailable.required, unavailable.alive], [1, 0]);
});

test('a policy that tries again gets through everything', async () => {
  for (const kind of [429, 408, 410, 449, 503]) {
    assert.deepEqual(await fixture.under(kind, { count: 3 }, () => read(patient)), { met: 3, result: 1 }, String(kind));
    assert.equal((await fixture.under(kind, { count: 3 }, () => write(patient))).met, 3, String(kind));
  }
});

test('the driver comes back after its connection was cut', async () => {
  // It has one host: what was under way fails, later statements wait for a new connection.
  const { met } = await fixture.under('cut', { count: 1 }, async () => {
    for (;;) {
      try {
        return await read(client);
      } catch (error) {
        if (!(error instanceof cassandra.errors.NoHostAvailableError)) throw error;
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
    }
  });
  assert.equal(met, 1);
  assert.equal(await read(client), 1);
});

test('late answers come', async () => {
  assert.deepEqual(await fixture.under('delay', { delayMs: 50, count: 1 }, () => read(client)), { met: 1, result: 1 });
});
