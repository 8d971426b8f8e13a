// gremlin's driver meets faults on demand. It tries nothing again by itself: programs do, by the status attributes that
// Cosmos DB documents for it.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const gremlin = require('gremlin-3.7');
const { useFaultyServer } = require('../../faults/fault_server');

const fixture = useFaultyServer(prepare);
let client;

const connect = async () => {
  const made = new gremlin.driver.Client(fixture.ready.variables.GREMLIN_URL, { traversalSource: 'g' });
  await made.open();
  return made;
};

async function prepare() {
  client = await connect();
  fixture.closing.push(() => client.close());
  await client.submit("g.addV('v').property(T.id, 1).property('n', 1)");
}

const attribute = (error, name) => (error.statusAttributes instanceof Map ? error.statusAttributes.get(name) : error.statusAttributes?.[name]);

// As Azure's samples have it: retries what may work later.
async function patient(script) {
  const seen = [];
  for (;;) {
    try {
      return { values: (await client.submit(script)).toArray(), seen };
    } catch (error) {
      const status = Number(attribute(error, 'x-ms-status-code'));
      if (![408, 410, 429, 449, 503, 1009].includes(status)) throw error;
      seen.push(status);
      if (status === 429) assert.equal(attribute(error, 'x-ms-retry-after-ms'), '00:00:00.0120000');
    }
  }
}

test('programs that look at the status attributes get through', async () => {
  for (const [kind, status] of [[429, 429], [408, 1009], [410, 410], [449, 449], [503, 503]]) {
    const { met, result } = await fixture.under(kind, { count: 2, retryAfterMs: 12 }, () => patient("g.V(1).values('n')"));
    assert.equal(met, 2);
    assert.deepEqual(result, { values: [1], seen: [status, status] });
  }
});

test('a write that met a fault did not happen, and one whose answer was lost did', async () => {
  await fixture.under(503, { count: 1 }, () => patient("g.addV('v').property(T.id, 2)"));
  assert.deepEqual((await patient('g.V(2).count()')).values, [1]);
  await fixture.under(503, { count: 1, after: true }, () => assert.rejects(client.submit("g.addV('v').property(T.id, 3)")));
  assert.deepEqual((await patient('g.V(3).count()')).values, [1]);
});

test('late answers come', async () => {
  const late = await fixture.under('delay', { delayMs: 50, count: 1 }, () => patient("g.V(1).values('n')"));
  assert.deepEqual(late, { met: 1, result: { values: [1], seen: [] } });
});

test('a connection that was cut closes, and a new one works', async () => {
  const doomed = await connect();
  await fixture.under('cut', { count: 1 }, async () => {
    const closed = new Promise((resolve) => { doomed._connection.on('close', resolve); });
    const asked = doomed.submit('g.V(1)').catch((error) => error);
    await closed;
    // Some versions of the driver leave what was asked unanswered.
    await Promise.race([asked, new Promise((resolve) => { setTimeout(resolve, 100); })]);
    assert.equal(await fixture.made(), 1);
  });
  const again = await connect();
  fixture.closing.push(() => again.close());
  assert.deepEqual((await again.submit("g.V(1).values('n')")).toArray(), [1]);
});
