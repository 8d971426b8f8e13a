// The tests that every version of npm's gremlin must pass, text and bytecode, in a serialization or the driver's default.
'use strict';
const assert = require('node:assert/strict');
const http = require('node:http');
const { test } = require('node:test');
const { ACCOUNT_KEY, MODERN, useServer } = require('./orrery_server');

function runSuite(packageName, serialization = {}) {
  const gremlin = require(packageName);
  const fixture = useServer(prepare);
  const { t, P, order } = gremlin.process;
  const __ = gremlin.process.statics;
  const state = {};

  const client = (options = {}, port = fixture.server.port) =>
    fixture.open(new gremlin.driver.Client(`ws://127.0.0.1:${port}/gremlin`, { traversalSource: 'g', ...serialization, ...options }));
  const names = async (script, bindings) => (await state.client.submit(script, bindings)).toArray();

  async function prepare() {
    state.client = client();
    for (const line of MODERN) await state.client.submit(line);
    const connection = fixture.open(new gremlin.driver.DriverRemoteConnection(`ws://127.0.0.1:${fixture.server.port}/gremlin`, { ...serialization }));
    state.g = gremlin.process.AnonymousTraversalSource.traversal().withRemote(connection);
  }

  test('text finds, moves and counts', async () => {
    assert.deepEqual(await names('g.V().count()'), [6]);
    assert.deepEqual((await names("g.V(1).out('knows').values('name')")).sort(), ['josh', 'vadas']);
    assert.deepEqual((await names("g.V(3).in('created').values('name')")).sort(), ['josh', 'marko', 'peter']);
    assert.deepEqual(await names("g.V().has('person', 'age', gt(limit)).order().by('age').values('name')", { limit: 30 }),
      ['josh', 'peter']);
    assert.deepEqual(await names("g.V().hasLabel('nothing')"), []);
  });

  test('elements have ids, labels and properties', async () => {
    const [vertex] = await names('g.V(1)');
    assert.equal(vertex.id, 1);
    assert.equal(vertex.label, 'person');
    const [edge] = await names('g.E(7)');
    assert.equal(edge.label, 'knows');
    assert.equal(edge.outV.id, 1);
    assert.equal(edge.inV.id, 2);
  });

  test('bytecode gives the same', async () => {
    const { g } = state;
    assert.equal((await g.V().count().next()).value, 6);
    assert.deepEqual((await g.V(1).out('knows').values('name').toList()).sort(), ['josh', 'vadas']);
    assert.deepEqual(await g.V().hasLabel('person').order().by('age', order.desc).values('name').toList(),
      ['peter', 'josh', 'marko', 'vadas']);
    assert.deepEqual(await g.V().has('age', P.between(28, 33)).order().by('age').values('name').toList(), ['marko', 'josh']);
    assert.deepEqual(await g.V(1).repeat(__.out()).times(2).order().by('name').values('name').toList(), ['lop', 'ripple']);
    const counts = await g.V().groupCount().by(t.label).next();
    assert.equal(counts.value.get('person'), 4);
  });

  test('patterns, sacks and formats, as text and as bytecode', async () => {
    const { g } = state;
    const pairs = (await names("g.V().match(__.as('a').out('created').as('b'), __.as('b').in('created').as('c'), where('a', neq('c')))"
      + ".select('a', 'c').by('name')")).map((each) => (each instanceof Map ? [each.get('a'), each.get('c')] : [each.a, each.c]).join());
    assert.deepEqual(pairs.sort(), ['josh,marko', 'josh,peter', 'marko,josh', 'marko,peter', 'peter,josh', 'peter,marko']);
    const matched = await g.V().match(__.as('a').out('knows').as('b'), __.as('b').out('created').as('c')).select('c').by('name').toList();
    assert.deepEqual(matched.sort(), ['lop', 'ripple']);
    assert.deepEqual(await names("g.V().hasLabel('person').order().by('age').format('%{name}: %{age}').limit(1)"), ['vadas: 27']);
    assert.deepEqual(await names("g.withSack(1, sum).V().out().barrier().dedup().order().by('name').sack()"), [1, 3, 1, 1]);
  });

  test('a transaction is refused with the reason', async () => {
    await assert.rejects(state.client.submit('g.tx().commit()'), /transactions over several requests are not/);
  });

  test('bytecode writes', async () => {
    const { g } = state;
    const made = (await g.addV('city').property('name', 'Bonn').next()).value;
    assert.equal(made.label, 'city');
    await g.V(made.id).property('size', 330).iterate();
    assert.deepEqual(await g.V(made.id).values('size').toList(), [330]);
    await g.V(made.id).drop().iterate();
    assert.equal(await g.V(made.id).hasNext(), false);
  });

  test('large results come in pages', async () => {
    const numbers = await state.client.submit("g.inject(0).repeat(union(identity(), identity())).times(9)");
    assert.equal(numbers.toArray().length, 512);
  });

  test('status attributes carry the charge', async () => {
    const result = await state.client.submit('g.V(1)');
    const attributes = result.attributes instanceof Map ? Object.fromEntries(result.attributes) : result.attributes;
    assert.equal(Number(attributes['x-ms-status-code']), 200);
    assert.ok(Number(attributes['x-ms-total-request-charge']) > 0);
    assert.match(attributes['x-ms-activity-id'], /^[0-9a-f-]{36}$/);
  });

  test('errors say what is wrong', async () => {
    await assert.rejects(state.client.submit('g.V().ouut()'), (error) => error.statusCode === 597 && /did you mean 'out'/.test(error.message));
    await assert.rejects(state.client.submit("g.addV('x').property(T.id, 1)"), (error) => {
      const attributes = error.statusAttributes instanceof Map ? Object.fromEntries(error.statusAttributes) : error.statusAttributes;
      return error.statusCode === 500 && Number(attributes['x-ms-status-code']) === 409;
    });
    await assert.rejects(state.client.submit('g.V().map{it.get()}'), (error) => error.statusCode === 597);
  });

  test('concurrent changes of one vertex are all kept', async () => {
    await state.client.submit("g.addV('counter').property(T.id, 'c')");
    await Promise.all(Array.from({ length: 20 }, (_, i) =>
      state.client.submit("g.V('c').property(list, 'n', i)", { i })));
    const seen = await names("g.V('c').values('n').order()");
    assert.deepEqual(seen, Array.from({ length: 20 }, (_, i) => i));
  });

  test('the second port wants credentials and takes Cosmos DB\'s', async () => {
    await sql('POST', '/dbs', { id: 'social' });
    await sql('POST', '/dbs/social/colls', { id: 'people', partitionKey: { paths: ['/country'], kind: 'Hash', version: 2 } });
    const login = (password, graph = 'people') => client({
      mimeType: 'application/vnd.gremlin-v2.0+json',
      authenticator: new gremlin.driver.auth.PlainTextSaslAuthenticator(`/dbs/social/colls/${graph}`, password),
    }, fixture.server.accountPort);
    const cosmos = login(ACCOUNT_KEY);
    await cosmos.submit("g.addV('person').property('id', 'ada').property('country', 'UK').property('age', 36)");
    await cosmos.submit("g.addV('person').property('id', 'emmy').property('country', 'DE')");
    await cosmos.submit("g.V(['UK', 'ada']).addE('knows').to(g.V(['DE', 'emmy']))");
    const found = (await cosmos.submit("g.V('emmy').in('knows').values('age')")).toArray();
    assert.deepEqual(found, [36]);
    const [stored] = (await sql('POST', '/dbs/social/colls/people/docs',
      { query: "SELECT c.id, c.label, c.country, c.age[0]._value AS age FROM c WHERE NOT IS_DEFINED(c._isEdge) AND c.id = 'ada'" })).Documents;
    assert.deepEqual(stored, { id: 'ada', label: 'person', country: 'UK', age: 36 });
    await assert.rejects(cosmos.submit("g.addV('person').property('id', 'x')"), /partition key/);
    await assert.rejects(login('d3Jvbmc=').submit('g.V()'), (error) => error.statusCode === 401);
    await assert.rejects(login(ACCOUNT_KEY, 'nothing').submit('g.V()'), /Owner resource does not exist/);
  });

  // A request to the SQL API, signed as its clients sign.
  async function sql(method, resource, body) {
    const crypto = require('node:crypto');
    const parts = resource.split('/').filter(Boolean);
    const isFeed = parts.length % 2 === 1;
    const type = isFeed ? parts.at(-1) : parts.at(-2);
    const link = (isFeed ? parts.slice(0, -1) : parts).join('/');
    const date = new Date().toUTCString();
    const text = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
    const signature = crypto.createHmac('sha256', Buffer.from(ACCOUNT_KEY, 'base64')).update(text).digest('base64');
    const isQuery = body.query !== undefined;
    const headers = {
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
      'x-ms-date': date,
      'x-ms-version': '2018-12-31',
      'content-type': isQuery ? 'application/query+json' : 'application/json',
    };
    if (isQuery) Object.assign(headers, { 'x-ms-documentdb-isquery': 'True', 'x-ms-documentdb-query-enablecrosspartition': 'True' });
    return new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port: fixture.server.sqlPort, path: resource, method, headers }, (response) => {
        let answer = '';
        response.on('data', (chunk) => { answer += chunk; });
        response.on('end', () => (response.statusCode < 300 ? resolve(JSON.parse(answer)) : reject(new Error(answer))));
      });
      request.on('error', reject);
      request.end(JSON.stringify(isQuery ? { query: body.query, parameters: [] } : body));
    });
  }
}

module.exports = { runSuite };
