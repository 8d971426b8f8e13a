// Stored procedures, triggers and user-defined functions.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { refuses, useServer } = require('./orrery_server');

const fixture = useServer('scripts');

test('a stored procedure from its creation to its end', async () => {
  const container = await fixture.container();
  const { resource } = await container.scripts.storedProcedures.create({
    id: 'hello', body: function hello(name) { getContext().getResponse().setBody('Hello, ' + name); } });
  assert.ok(resource._rid && resource._self && resource._etag && resource._ts);
  const procedure = container.scripts.storedProcedure('hello');
  assert.equal((await procedure.execute('a', ['World'])).resource, 'Hello, World');
  await procedure.replace({ id: 'hello', body: 'function () { getContext().getResponse().setBody({ n: 1 }); }' });
  assert.deepEqual((await procedure.execute('a')).resource, { n: 1 });
  assert.equal((await container.scripts.storedProcedures.readAll().fetchAll()).resources.length, 1);
  await refuses(container.scripts.storedProcedures.create({ id: 'hello', body: 'function () {}' }), 409);
  await container.scripts.storedProcedures.create({ id: 'wrong', body: 'function (' });
  await refuses(container.scripts.storedProcedure('wrong').execute('a'), 400);
  await procedure.delete();
  await refuses(procedure.execute('a'), 404);
});

test('documents are written together or not at all', async () => {
  const container = await fixture.container();
  await container.scripts.storedProcedures.create({ id: 'fill', body: function fill(documents, failAt) {
    const collection = getContext().getCollection();
    let count = 0;
    next();
    function next() {
      if (count === documents.length) return getContext().getResponse().setBody(count);
      if (count === failAt) throw new Error('stopped at ' + count);
      if (!collection.createDocument(collection.getSelfLink(), documents[count], created))
        getContext().getResponse().setBody(count);
    }
    function created(error) {
      if (error) throw error;
      ++count;
      next();
    }
  } });
  const documents = Array.from({ length: 20 }, (_, i) => ({ id: String(i), pk: 'a', i }));
  const procedure = container.scripts.storedProcedure('fill');
  const failed = await refuses(procedure.execute('a', [documents, 13]), 400);
  assert.match(failed.message ?? failed.body?.message, /stopped at 13/);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 0);
  assert.equal((await procedure.execute('a', [documents])).resource, 20);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 20);
  await refuses(procedure.execute('b', [documents]), 400);
});

test('queries and logs of a procedure', async () => {
  const container = await fixture.container();
  for (let i = 0; i < 5; ++i) await container.items.create({ id: String(i), pk: 'a', i });
  await container.scripts.storedProcedures.create({ id: 'sum', body: function sum() {
    const collection = getContext().getCollection();
    const query = { query: 'SELECT VALUE SUM(c.i) FROM c WHERE c.i >= @least', parameters: [{ name: '@least', value: 2 }] };
    collection.queryDocuments(collection.getSelfLink(), query, function (error, rows) {
      if (error) throw error;
      console.log('rows: ' + rows.length);
      getContext().getResponse().setBody(rows[0]);
    });
  } });
  const answer = await container.scripts.storedProcedure('sum').execute('a', [], { enableScriptLogging: true });
  assert.equal(answer.resource, 9);
  assert.match(decodeURIComponent(answer.headers['x-ms-documentdb-script-log-results']), /rows: 1/);
});

test('a script without end is stopped', async () => {
  const container = await fixture.container();
  await container.scripts.storedProcedures.create({ id: 'loop', body: 'function () { for (;;) {} }' });
  await refuses(container.scripts.storedProcedure('loop').execute('a'), 408);
  await container.items.create({ id: '1', pk: 'a' });
});

test('triggers', async () => {
  const container = await fixture.container();
  await container.scripts.triggers.create({ id: 'stamp', triggerType: 'Pre', triggerOperation: 'Create',
    body: function stamp() {
      const request = getContext().getRequest();
      const document = request.getBody();
      document.stamped = true;
      request.setBody(document);
    } });
  await container.scripts.triggers.create({ id: 'count', triggerType: 'Post', triggerOperation: 'All',
    body: function count() {
      const collection = getContext().getCollection();
      const created = getContext().getResponse().getBody();
      collection.createDocument(collection.getSelfLink(), { id: 'after-' + created.id, pk: 'a' });
    } });
  const { resource } = await container.items.create({ id: '1', pk: 'a' },
    { preTriggerInclude: ['stamp'], postTriggerInclude: ['count'] });
  assert.equal(resource.stamped, true);
  assert.equal((await container.item('after-1', 'a').read()).statusCode, 200);
  assert.equal((await container.items.create({ id: '2', pk: 'a' })).resource.stamped, undefined);
  await refuses(container.items.create({ id: '3', pk: 'a' }, { preTriggerInclude: ['none'] }), 400);
  assert.equal((await container.scripts.triggers.readAll().fetchAll()).resources.length, 2);
});

test('user-defined functions', async () => {
  const container = await fixture.container();
  await container.scripts.userDefinedFunctions.create({ id: 'tax',
    body: function tax(income) { return income < 1000 ? income * 0.1 : income * 0.4; } });
  await container.items.create({ id: '1', pk: 'a', income: 500 });
  await container.items.create({ id: '2', pk: 'b', income: 5000 });
  const { resources } = await container.items.query(
    'SELECT c.id, udf.tax(c.income) AS tax FROM c WHERE udf.tax(c.income) > 100').fetchAll();
  assert.deepEqual(resources, [{ id: '2', tax: 2000 }]);
  await refuses(container.items.query('SELECT udf.none(1) FROM c').fetchAll(), 400);
});
