// Coming in: handshakes, logins, TLS, compression, and what the server says of itself.
'use strict';
const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { ACCOUNT, ACCOUNT_KEY, useServer } = require('./orrery_server');

const fixture = useServer();

test('the server is the primary of the replica set globaldb', async () => {
  const hello = await fixture.client.db('admin').command({ hello: 1 });
  assert.equal(hello.isWritablePrimary, true);
  assert.equal(hello.setName, 'globaldb');
  assert.equal(hello.maxWireVersion, 21);
  assert.deepEqual(hello.hosts, [`127.0.0.1:${fixture.server.port}`]);
  const named = await fixture.connect({ replicaSet: 'globaldb' });
  assert.equal((await named.db('admin').command({ ping: 1 })).ok, 1);
});

test('a 7.0 server, as tools want to hear', async () => {
  const info = await fixture.client.db('admin').command({ buildInfo: 1 });
  assert.match(info.version, /^7\.0\./);
});

for (const authMechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-1', undefined]) {
  test(`the account logs in by ${authMechanism ?? 'the default mechanism'}`, async () => {
    const client = await fixture.connect(
      { auth: { username: ACCOUNT, password: ACCOUNT_KEY }, authMechanism }, fixture.server.accountPort);
    const status = await client.db('admin').command({ connectionStatus: 1 });
    assert.equal(status.authInfo.authenticatedUsers[0].user, ACCOUNT);
  });
}

test('a wrong key is refused', async () => {
  await assert.rejects(
    fixture.connect({ auth: { username: ACCOUNT, password: 'd3Jvbmc=' } }, fixture.server.accountPort),
    (error) => error.code === 18 && /Authentication failed/.test(error.message));
  await assert.rejects(
    fixture.connect({ auth: { username: 'nobody', password: 'x' } }, fixture.server.accountPort),
    (error) => error.code === 18);
});

test('without a login nothing is told at the second port', async () => {
  const client = await fixture.connect({}, fixture.server.accountPort);
  await assert.rejects(client.db('admin').command({ listDatabases: 1 }),
    (error) => error.code === 13 && error.codeName === 'Unauthorized');
});

test('users come in with their roles', async () => {
  const admin = fixture.client.db('shop');
  await admin.command({ createUser: 'reader', pwd: 'secret', roles: ['read'] });
  await admin.createCollection('things');
  const client = await fixture.connect(
    { auth: { username: 'reader', password: 'secret' }, authSource: 'shop' }, fixture.server.accountPort);
  const names = await client.db('shop').listCollections({}, { nameOnly: true }).toArray();
  assert.deepEqual(names.map((entry) => entry.name), ['things']);
  await assert.rejects(client.db('shop').createCollection('more'), (error) => error.code === 13);
  await admin.command({ dropUser: 'reader' });
});

test('TLS on the same port', async () => {
  const client = await fixture.connect(
    { tls: true, tlsCAFile: path.join(fixture.server.data, 'tls', 'tls-certificate.pem') });
  assert.equal((await client.db('admin').command({ ping: 1 })).ok, 1);
});

test('compression by zlib', async () => {
  const client = await fixture.connect({ compressors: ['zlib'] });
  const answer = await client.db('admin').command({ buildInfo: 1 });
  assert.equal(answer.ok, 1);
});

test('unknown commands have their code', async () => {
  await assert.rejects(fixture.client.db('admin').command({ nope: 1 }),
    (error) => error.code === 59 && error.codeName === 'CommandNotFound');
});
