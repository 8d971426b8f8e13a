// Serves the built page for people who change it, in front of a real server: node dev/server.mjs [URL].
// Calls that the server does not have yet are answered by a mock. Never part of a release.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mock } from './mock.mjs';

const backend = process.argv[2] ?? 'http://127.0.0.1:8081';
const port = Number(process.argv[3] ?? 8090);
const key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const dist = fileURLToPath(new URL('../../build/explorer/dev/', import.meta.url));
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

async function forward(method, path, body, headers = {}) {
  const sent = { authorization: `Bearer ${key}` };
  for (const name of ['if-match', 'content-type']) if (headers[name]) sent[name] = headers[name];
  return fetch(backend + path, { method, headers: sent, body: body || undefined });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const url = new URL(request.url, 'http://x');
  try {
    if (url.pathname.startsWith('/_admin/') || url.pathname === '/_explorer/session') {
      const imagined = process.env.MOCK === 'all' || url.pathname === '/_explorer/session';
      let real = imagined ? null : await forward(request.method, request.url, body, request.headers);
      // Missing calls only, not missing things.
      if (!real || (real.status === 404 && (await real.clone().text()).includes('there is nothing at'))) {
        const answer = await mock(request.method, url, body, forward);
        if (answer) {
          response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
          response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
          return;
        }
        real ??= await forward(request.method, request.url, body, request.headers);
      }
      const headers = { 'content-type': 'application/json' };
      for (const name of ['etag', 'x-ms-request-charge']) if (real.headers.has(name)) headers[name] = real.headers.get(name);
      response.writeHead(real.status, headers);
      response.end(Buffer.from(await real.arrayBuffer()));
      return;
    }
    const name = normalize(url.pathname.replace(/^\/_explorer\/?/, '') || 'index.html');
    const content = await readFile(join(dist, name));
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream', 'content-security-policy': policy });
    response.end(content);
  } catch (error) {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end(String(error));
  }
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/_explorer/`));
