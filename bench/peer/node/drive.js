// node drive.js ENDPOINT SECONDS CONCURRENCY: the official client creates, reads and queries for so long
// each, and prints one JSON object: operations a second, by kind, and how many failed.
//
// Documents are as small as an application's: the client, not the network, is what costs.
"use strict";
const { CosmosClient } = require("@azure/cosmos");

const KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
const OF_ONE_KEY = 100;
const OF_ONE_SHELF = 10;
const DOCUMENTS = 1000; // there before anything is measured

function documentOf(number) {
  const key = Math.floor(number / OF_ONE_KEY);
  return { id: `doc-${number}`, pk: `part-${key}`, number, shelf: Math.floor(number / OF_ONE_SHELF), value: "x".repeat(256) };
}

// Runs `operation` again and again, `concurrency` at a time; its argument counts up.
async function measure(seconds, concurrency, operation) {
  let done = 0;
  let failed = 0;
  let next = 0;
  const begin = process.hrtime.bigint();
  const end = begin + BigInt(Math.round(seconds * 1e9));
  const worker = async () => {
    while (process.hrtime.bigint() < end) {
      try {
        if (await operation(next++)) done++;
        else failed++;
      } catch (error) {
        if (failed++ === 0) console.error(error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { rate: (done * 1e9) / Number(process.hrtime.bigint() - begin), failed };
}

async function main() {
  const [endpoint, seconds, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
  const client = new CosmosClient({ endpoint, key: KEY, connectionPolicy: { enableEndpointDiscovery: false } });
  const { database } = await client.databases.createIfNotExists({ id: "bench" });
  const { container } = await database.containers.createIfNotExists(
    { id: `documents-${Date.now()}`, partitionKey: { paths: ["/pk"] } }, { offerThroughput: 100000 });
  for (let i = 0; i < DOCUMENTS; i++) await container.items.create(documentOf(i));

  const found = {};
  found.read = await measure(seconds, concurrency, async (i) => {
    const { id, pk } = documentOf((i * 7919) % DOCUMENTS);
    return (await container.item(id, pk).read()).resource?.id === id;
  });
  found.query = await measure(seconds, concurrency, async (i) => {
    const { pk, shelf } = documentOf((i * 7919) % DOCUMENTS);
    const query = { query: "SELECT * FROM c WHERE c.shelf = @shelf", parameters: [{ name: "@shelf", value: shelf }] };
    return (await container.items.query(query, { partitionKey: pk }).fetchAll()).resources.length === OF_ONE_SHELF;
  });
  found.create = await measure(seconds, concurrency, async (i) => {
    return (await container.items.create(documentOf(DOCUMENTS + i))).statusCode === 201;
  });
  console.log(JSON.stringify(found));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
