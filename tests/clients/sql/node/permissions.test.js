// Users, permissions, and clients that have nothing but a resource token.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { PermissionMode } = require('@azure/cosmos');
const { refuses, useServer } = require('./orrery_server');

const fixture = useServer('permissions');

test('a token lets in to one container', async () => {
  const container = await fixture.container();
  await container.items.create({ id: '1', pk: 'a' });
  const { user } = await fixture.database.users.create({ id: 'reader' });
  const { resource: permission } = await user.permissions.create(
    { id: 'read', permissionMode: PermissionMode.Read, resource: container.url });
  assert.match(permission._token, /^type=resource&ver=1&sig=/);
  const reader = fixture.connect({ resourceTokens: { [container.url]: permission._token } });
  const same = reader.database('permissions').container(container.id);
  assert.equal((await same.item('1', 'a').read()).resource?.id, '1');
  await refuses(same.items.create({ id: '2', pk: 'a' }), 403);
  const { resources } = await fixture.database.users.readAll().fetchAll();
  assert.deepEqual(resources.map((each) => each.id), ['reader']);
});

test('a token to write', async () => {
  const container = await fixture.container();
  const { user } = await fixture.database.users.create({ id: 'writer' });
  const { resource: permission } = await user.permissions.create(
    { id: 'all', permissionMode: PermissionMode.All, resource: container.url });
  const writer = fixture.connect({ permissionFeed: [permission] });
  const same = writer.database('permissions').container(container.id);
  assert.equal((await same.items.create({ id: '1', pk: 'a' })).statusCode, 201);
  await user.permission('all').delete();
  await refuses(same.items.create({ id: '2', pk: 'a' }), 403);
  await user.delete();
});
