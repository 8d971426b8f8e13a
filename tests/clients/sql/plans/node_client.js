// Asks npm's @azure/cosmos, which asks for a plan each time; clients.py says what is read and written.
'use strict';
const readline = require('node:readline');
const { CosmosClient } = require('@azure/cosmos');

async function main([endpoint, key, name]) {
  let client;
  let file;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const parameters = Object.entries(asked.parameters).map(([parameter, value]) => ({ name: parameter, value }));
    const options = { forceQueryPlan: true };
    if (asked.page > 0) options.maxItemCount = asked.page;
    // {} stands for a value that is not there.
    if (asked.key) options.partitionKey = asked.key.length === 1 ? asked.key[0] : asked.key;
    if (asked.file !== file) {
      client?.dispose();
      client = new CosmosClient({ endpoint, key });
      file = asked.file;
    }
    let answer;
    try {
      const container = client.database(name).container(asked.container);
      const { resources } = await container.items.query({ query: asked.query, parameters }, options).fetchAll();
      answer = { rows: resources.map((row) => row ?? null) };
    } catch (error) {
      answer = { error: `${error.code} ${error.message} ${JSON.stringify(error.body ?? '')}` };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
  process.exit();
}

main(process.argv.slice(2));
