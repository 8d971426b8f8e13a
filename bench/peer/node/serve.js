// node serve.js PORT: npm's @vercel/cosmosdb-server over plain HTTP with connections that are kept, which
// its own command line cannot ask for: by default it closes each after one answer.
"use strict";
const { createHttpServer } = require("@vercel/cosmosdb-server");

createHttpServer({ keepAlive: true }).listen(Number(process.argv[2]), "127.0.0.1");
