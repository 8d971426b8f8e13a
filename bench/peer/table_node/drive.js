// node drive.js ENDPOINT SECONDS CONCURRENCY: the official client of Azure tables reads, queries, merges, sends batches and
// inserts for so long each, and prints one JSON object: by kind, operations a second, how many failed, and the client's
// own share of a processor.
"use strict";
const { AzureNamedKeyCredential, TableClient } = require("@azure/data-tables");

const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const OF_ONE_PARTITION = 100;
const OF_ONE_SHELF = 10;
const ENTITIES = 1000; // there before anything is measured

function entityOf(number) {
  return {
    partitionKey: `part-${Math.floor(number / OF_ONE_PARTITION)}`, rowKey: `row-${number}`, number,
    shelf: Math.floor(number / OF_ONE_SHELF), value: "x".repeat(256),
  };
}

function partitionOf(number) {
  return Array.from({ length: OF_ONE_PARTITION }, (_, i) => ["upsert", entityOf(number * OF_ONE_PARTITION + i), "Replace"]);
}

// Runs `operation` again and again, `concurrency` at a time; its argument counts up.
async function measure(seconds, concurrency, operation) {
  let done = 0;
  let failed = 0;
  let next = 0;
  const cpu = process.cpuUsage();
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
  const took = Number(process.hrtime.bigint() - begin) / 1e9;
  const used = process.cpuUsage(cpu);
  return { rate: done / took, failed, cores: (used.user + used.system) / 1e6 / took };
}

async function main() {
  const [endpoint, seconds, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
  const table = new TableClient(`${endpoint}/${ACCOUNT}`, `Bench${Date.now()}`, new AzureNamedKeyCredential(ACCOUNT, KEY),
    { allowInsecureConnection: true });
  await table.createTable();
  for (let i = 0; i < ENTITIES / OF_ONE_PARTITION; i++) await table.submitTransaction(partitionOf(i));

  const keyOf = (i) => entityOf((i * 7919) % ENTITIES);
  const found = {};
  found.read = await measure(seconds, concurrency, async (i) => {
    const { partitionKey, rowKey } = keyOf(i);
    return (await table.getEntity(partitionKey, rowKey)).rowKey === rowKey;
  });
  found.find = await measure(seconds, concurrency, async (i) => {
    let count = 0;
    for await (const _ of table.listEntities({ queryOptions: { filter: `shelf eq ${keyOf(i).shelf}` } })) count++;
    return count === OF_ONE_SHELF;
  });
  found.merge = await measure(seconds, concurrency, async (i) => {
    const { partitionKey, rowKey } = keyOf(i);
    return (await table.updateEntity({ partitionKey, rowKey, merged: true }, "Merge")).etag !== undefined;
  });
  found.batch = await measure(seconds, Math.min(concurrency, 8), async (i) => {
    return (await table.submitTransaction(partitionOf(ENTITIES + i))).subResponses.length === OF_ONE_PARTITION;
  });
  found.insert = await measure(seconds, concurrency, async (i) => {
    return (await table.createEntity(entityOf(100_000_000 + i))).etag !== undefined;
  });
  console.log(JSON.stringify(found));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
