// The running cluster (tools/cluster tells of it by the environment), and clients of npm's cassandra-driver on it.
'use strict';
const ADDRESSES = process.env.CLUSTER_ADDRESSES.split(',');
const URLS = process.env.CLUSTER_URLS.split(',');
const PIDS = process.env.CLUSTER_PIDS.split(',').map(Number);
const REPLICATION = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
const PATIENCE_MS = 60000;

// Hears of the cluster from these nodes and asks them only; with `tokenAware` it asks the owner of a key first.
async function connect(addresses = ADDRESSES, tokenAware = false) {
  const cassandra = require('cassandra-driver');
  const { loadBalancing, reconnection } = cassandra.policies;
  const inTurn = new loadBalancing.AllowListPolicy(new loadBalancing.RoundRobinPolicy(),
    addresses.map((address) => `${address}:9042`));
  const client = new cassandra.Client({
    contactPoints: addresses, localDataCenter: 'datacenter1',
    policies: { loadBalancing: tokenAware ? new loadBalancing.TokenAwarePolicy(inTurn) : inTurn,
      reconnection: new reconnection.ConstantReconnectionPolicy(200) },
    socketOptions: { readTimeout: PATIENCE_MS, connectTimeout: PATIENCE_MS } });
  await client.connect();
  return client;
}

async function eventually(predicate) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!await predicate()) {
    if (Date.now() > deadline) throw new Error('never happened: ' + predicate);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

module.exports = { ADDRESSES, PIDS, REPLICATION, URLS, connect, eventually };
