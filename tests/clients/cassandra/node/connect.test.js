// Connecting: versions, TLS, credentials.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const cassandra = require('cassandra-driver');
const { ACCOUNT_KEY, useServer } = require('./orrery_server');

const fixture = useServer('connecting');
const { PlainTextAuthProvider } = cassandra.auth;

async function assertLetIn(options) {
  const client = await fixture.connect(options);
  assert.equal((await client.execute('SELECT key FROM system.local')).first().key, 'local');
  return client;
}

test('the driver finds a version that both speak', async () => {
  const client = await assertLetIn({});
  assert.equal(client.controlConnection.protocolVersion, 4);
  const [host] = client.hosts.values();
  assert.equal(host.datacenter, 'datacenter1');
  assert.match(host.cassandraVersion, /^4\.1\./);
});

test('versions 3 and 4 when asked for', async () => {
  for (const maxVersion of [3, 4]) {
    const client = await assertLetIn({ protocolOptions: { port: fixture.server.port, maxVersion } });
    assert.equal(client.controlConnection.protocolVersion, maxVersion);
  }
});

test('TLS on both ports', async () => {
  const sslOptions = { ca: [fixture.server.certificate()], rejectUnauthorized: true, host: 'localhost' };
  await assertLetIn({ sslOptions });
  await assertLetIn({ sslOptions, port: fixture.server.accountPort,
    authProvider: new PlainTextAuthProvider('localhost', ACCOUNT_KEY) });
  await assert.rejects(fixture.connect({ sslOptions: { rejectUnauthorized: true } }),
    cassandra.errors.NoHostAvailableError);
});

test('credentials', async () => {
  const port = fixture.server.accountPort;
  await assertLetIn({ port, credentials: { username: 'localhost', password: ACCOUNT_KEY } });
  await assertLetIn({ port, authProvider: new PlainTextAuthProvider('cassandra', 'cassandra') });
  await assertLetIn({ authProvider: new PlainTextAuthProvider('localhost', ACCOUNT_KEY) });
});

test('wrong credentials', async () => {
  const port = fixture.server.accountPort;
  for (const provider of [undefined, new PlainTextAuthProvider('localhost', 'wrong'),
    new PlainTextAuthProvider('nobody', ACCOUNT_KEY)]) {
    await assert.rejects(fixture.connect({ port, authProvider: provider }), (error) => {
      assert.ok(error instanceof cassandra.errors.NoHostAvailableError);
      const [cause] = Object.values(error.innerErrors);
      assert.ok(cause instanceof cassandra.errors.AuthenticationError, String(cause));
      return true;
    });
  }
});
