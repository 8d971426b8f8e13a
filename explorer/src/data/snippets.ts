// Working code for each client: what the connect page shows. tests/clients/explorer runs each.

import type { Connection } from './admin';

export interface Snippet {
  name: string;
  language: string;
  install: string;
  code: string;
}

export interface Place {
  scheme: string;
  host: string;
  key: string;
  account: string;
  ports: Record<string, number>;
  datacenter: string;
  login: boolean; // whether drivers must log in
}

const keyPlace = '<account key>';

export function placeOf(connection: Connection, login: boolean): Place {
  return { scheme: connection.onlyTls ? 'https' : 'http', host: connection.host, key: connection.key ?? keyPlace, account: connection.account,
    ports: connection.ports, datacenter: connection.clusterDatacenter ?? 'datacenter1', login };
}

export function snippets({ scheme, host, key, account, ports, datacenter, login }: Place): Snippet[] {
  const found: Snippet[] = [];
  const credentials = login ? `${encodeURIComponent(account)}:${key.startsWith('<') ? key : encodeURIComponent(key)}@` : '';
  const endpoint = `${scheme}://${host}:${ports.sql}`;
  if (ports.sql) {
    found.push({ name: 'SQL, JavaScript', language: 'javascript', install: 'npm install @azure/cosmos', code: `const { CosmosClient } = require('@azure/cosmos');
const client = new CosmosClient({ endpoint: '${endpoint}', key: '${key}' });

async function main() {
  const { database } = await client.databases.createIfNotExists({ id: 'shop' });
  const { container } = await database.containers.createIfNotExists({ id: 'orders', partitionKey: { paths: ['/customer'] } });
  await container.items.upsert({ id: '1', customer: 'ann', total: 12.5 });
  const { resources } = await container.items.query('SELECT * FROM c WHERE c.customer = "ann"').fetchAll();
  console.log(resources.length, 'found');
}
main().finally(() => client.dispose());
` });
    found.push({ name: 'SQL, Python', language: 'python', install: 'pip install azure-cosmos', code: `from azure.cosmos import CosmosClient, PartitionKey

client = CosmosClient('${endpoint}', '${key}')
database = client.create_database_if_not_exists('shop')
container = database.create_container_if_not_exists('orders', PartitionKey('/customer'))
container.upsert_item({'id': '1', 'customer': 'ann', 'total': 12.5})
print(len(list(container.query_items('SELECT * FROM c', enable_cross_partition_query=True))), 'found')
` });
    found.push({ name: 'Admin interface, curl', language: 'sh', install: '', code: `curl -s -H 'Authorization: Bearer ${key}' ${endpoint}/_admin/v1/status
` });
  }
  if (ports.cassandra) {
    found.push({ name: 'CQL, Python', language: 'python', install: 'pip install cassandra-driver', code: `from cassandra.cluster import Cluster
${login ? 'from cassandra.auth import PlainTextAuthProvider\n' : ''}
session = Cluster(['${host}'], port=${ports.cassandra}${login ? `, auth_provider=PlainTextAuthProvider('${account}', '${key}')` : ''}).connect()
session.execute("CREATE KEYSPACE IF NOT EXISTS uprofile WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
session.execute('CREATE TABLE IF NOT EXISTS uprofile.user (user text PRIMARY KEY, message text)')
session.execute('INSERT INTO uprofile.user (user, message) VALUES (%s, %s)', ('theo', 'hello'))
print(len(list(session.execute('SELECT * FROM uprofile.user'))), 'found')
` });
    found.push({ name: 'CQL, JavaScript', language: 'javascript', install: 'npm install cassandra-driver', code: `const { Client } = require('cassandra-driver');
const client = new Client({ contactPoints: ['${host}:${ports.cassandra}'], localDataCenter: '${datacenter}'${login ? `, credentials: { username: '${account}', password: '${key}' }` : ''} });

async function main() {
  await client.execute("CREATE KEYSPACE IF NOT EXISTS uprofile WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  await client.execute('CREATE TABLE IF NOT EXISTS uprofile.user (user text PRIMARY KEY, message text)');
  await client.execute('INSERT INTO uprofile.user (user, message) VALUES (?, ?)', ['theo', 'hello'], { prepare: true });
  console.log((await client.execute('SELECT * FROM uprofile.user')).rowLength, 'found');
}
main().finally(() => client.shutdown());
` });
  }
  if (ports.mongo) {
    found.push({ name: 'MongoDB, JavaScript', language: 'javascript', install: 'npm install mongodb', code: `const { MongoClient } = require('mongodb');
const client = new MongoClient('mongodb://${credentials}${host}:${ports.mongo}/?replicaSet=globaldb');

async function main() {
  const people = client.db('test').collection('people');
  await people.updateOne({ _id: 'ann' }, { $set: { age: 41 } }, { upsert: true });
  console.log(await people.countDocuments(), 'found');
}
main().finally(() => client.close());
` });
    found.push({ name: 'MongoDB, Python', language: 'python', install: 'pip install pymongo', code: `from pymongo import MongoClient

client = MongoClient('mongodb://${credentials}${host}:${ports.mongo}/?replicaSet=globaldb')
client.test.people.update_one({'_id': 'ann'}, {'$set': {'age': 41}}, upsert=True)
print(client.test.people.count_documents({}), 'found')
` });
  }
  if (ports.table) {
    found.push({ name: 'Table, JavaScript', language: 'javascript', install: 'npm install @azure/data-tables', code: `const { AzureNamedKeyCredential, TableClient } = require('@azure/data-tables');
const credential = new AzureNamedKeyCredential('${account}', '${key}');
const client = new TableClient('${scheme}://${host}:${ports.table}', 'people', credential, { allowInsecureConnection: true });

async function main() {
  await client.createTable();
  await client.upsertEntity({ partitionKey: 'a', rowKey: 'ann', age: 41 });
  let found = 0;
  for await (const entity of client.listEntities()) found += entity.age > 0;
  console.log(found, 'found');
}
main();
` });
  }
  if (ports.gremlin) {
    found.push({ name: 'Gremlin, JavaScript', language: 'javascript', install: 'npm install gremlin', code: `const gremlin = require('gremlin');
const connection = new gremlin.driver.DriverRemoteConnection('${scheme === 'https' ? 'wss' : 'ws'}://${host}:${ports.gremlin}/gremlin'${login ? `,
  { authenticator: new gremlin.driver.auth.PlainTextSaslAuthenticator('${account}', '${key}') }` : ''});
const g = gremlin.process.AnonymousTraversalSource.traversal().withRemote(connection);

async function main() {
  await g.addV('person').property('name', 'ann').next();
  console.log((await g.V().count().next()).value, 'found');
}
main().finally(() => connection.close());
` });
  }
  return found;
}
