// Imaginary answers, in the forms of docs/admin-interface.md, for calls that a server lacks; and with
// MOCK=all a container with a lively past, to design the map by.
const all = process.env.MOCK === 'all';
const hex = (value) => value.toString(16).padStart(32, '0');
const quarter = 1n << 126n;
const at = (share) => BigInt(Math.round(share * 2 ** 40)) * (quarter >> 40n);
const begun = Date.now() - 540_000;
const boxes = [
  { id: 1, from: 0, to: 0.5, born: null, died: begun + 220_000, parents: [], children: [3, 4] },
  { id: 2, from: 0.5, to: 1, born: null, died: null, parents: [] },
  { id: 3, from: 0, to: 0.31, born: begun + 220_000, died: null, parents: [1], why: 'load' },
  { id: 4, from: 0.31, to: 0.5, born: begun + 220_000, died: begun + 380_000, parents: [1], children: [5, 6], why: 'load' },
  { id: 5, from: 0.31, to: 0.4, born: begun + 380_000, died: null, parents: [4], why: 'load' },
  { id: 6, from: 0.4, to: 0.5, born: begun + 380_000, died: null, parents: [4], why: 'load' },
];
const wave = (id, time) => {
  const minutes = (time - begun) / 60_000;
  const noise = Math.abs(Math.sin(time * 12.9898 + id * 78.233) * 43758.5453) % 1;
  const base = id === 1 ? minutes * 2600 : id === 2 ? 2600 + 600 * Math.sin(minutes) : id === 3 ? 9000 : id === 4 ? 1500 + (minutes - 3.6) * 2600 : id === 5 ? 3100 : 1800;
  return Math.max(0, base * (0.85 + 0.3 * noise));
};
const alive = (time) => boxes.filter((box) => (box.born ?? 0) <= time && (box.died ?? Infinity) > time);

function mockLoad() {
  const time = Date.now();
  const now = alive(time).sort((a, b) => a.from - b.from);
  return {
    time, bytesMax: 32212254720, containers: [{ database: 'shop', container: 'orders', metered: true }],
    slices: { container: now.map(() => 0), id: now.map((box) => box.id), begin: now.map((box) => hex(at(box.from))), last: now.map((box) => hex(box.to === 1 ? (1n << 128n) - 1n : at(box.to) - 1n)),
      bytes: now.map((box) => 3e9 * box.id), items: now.map((box) => 12000 * box.id), rate: now.map(() => 10000), used: now.map((box) => Math.min(10000, wave(box.id, time))),
      throttled: now.map((box) => Math.max(0, Math.round((wave(box.id, time) - 10000) / 10))), throttledTotal: now.map(() => 312), node: now.map(() => 0), open: now.map(() => true) },
  };
}

function mockHistory(query) {
  const step = Number(query.get('step'));
  const to = Date.now();
  const from = Math.max(Number(query.get('from')), to - 1000 * step) - (Number(query.get('from')) % step);
  const count = Math.floor((to - from) / step);
  const series = (box, value) => Array.from({ length: count }, (_, i) => {
    const time = from + i * step;
    return time < begun || (box.born ?? 0) > time || (box.died ?? Infinity) <= time ? null : value(time);
  });
  return { since: begun, from, to, step, partitions: boxes.map((box) => ({ id: box.id, born: box.born, died: box.died, parents: box.parents, why: box.why, begin: hex(at(box.from)),
    last: hex(box.to === 1 ? (1n << 128n) - 1n : at(box.to) - 1n), node: 0, rate: [[from, 10000]], used: series(box, (time) => Math.min(10000, wave(box.id, time))),
    usedMax: series(box, (time) => Math.min(10000, wave(box.id, time))), throttled: series(box, (time) => Math.max(0, Math.round((wave(box.id, time) - 10000) / 10))), bytes: series(box, () => 3e9 * box.id) })) };
}

const mockEvents = [
  { number: 4, time: begun + 380_000, kind: 'split', database: 'shop', container: 'orders', before: [4], after: [5, 6], why: 'load', by: 'server', pauseMs: 6.1 },
  { number: 3, time: begun + 310_000, kind: 'throttling', database: 'shop', container: 'orders', before: [1], after: [], ended: begun + 350_000, refused: 312, hottest: ['ann'] },
  { number: 2, time: begun + 220_000, kind: 'split', database: 'shop', container: 'orders', before: [1], after: [3, 4], why: 'load', by: 'server', pauseMs: 38.4 },
  { number: 1, time: begun, kind: 'setting', database: 'shop', container: 'orders', before: [], after: [], what: 'throughput', text: '400 RU/s to 20000 RU/s', by: 'admin' },
];

async function realLoad(forward) {
  const { bytesMax, partitions } = await (await forward('GET', '/_admin/v1/partitions')).json();
  const containers = [];
  const slices = Object.fromEntries(['container', 'id', 'begin', 'last', 'bytes', 'items', 'rate', 'used', 'throttled', 'throttledTotal', 'node', 'open'].map((name) => [name, []]));
  for (const partition of partitions) {
    for (const range of partition.ranges) {
      let index = containers.findIndex((each) => each.database === range.database && each.container === range.container);
      if (index < 0) index = containers.push({ database: range.database, container: range.container, metered: partition.requestUnitsPerSecond !== null }) - 1;
      const row = { container: index, id: partition.id, begin: range.begin, last: range.last, bytes: range.bytes, items: range.items, rate: partition.requestUnitsPerSecond, used: partition.usedLastSecond,
        throttled: 0, throttledTotal: partition.throttledTotal, node: 0, open: true };
      for (const name of Object.keys(slices)) slices[name].push(row[name]);
    }
  }
  return { time: Date.now(), bytesMax, containers, slices };
}

// Returns null for a call that the real server answers.
export async function mock(method, url, body, forward) {
  const path = url.pathname.replace('/_admin/v1/', '');
  if (path === '/_explorer/session') return { body: { access: 'readWrite', trustLocal: true, tls: false, expires: Date.now() + 1e7, account: 'localhost', version: '0.2.0' } };
  if (path === 'load') return { body: all ? mockLoad() : await realLoad(forward) };
  if (path === 'history') return { body: all ? mockHistory(url.searchParams) : { since: null, from: 0, to: 0, step: 1000, partitions: [] } };
  if (path === 'events') {
    if (url.searchParams.has('after')) await new Promise((resolve) => setTimeout(resolve, 15_000));
    return { body: { next: 5, events: url.searchParams.has('after') || !all ? [] : mockEvents } };
  }
  if (/keys$/.test(path)) {
    const key = (name, share, position) => ({ database: 'shop', container: 'orders', partition: 3, partitionKey: [name], columns: ['/customer'], position: hex(at(position)), requestUnitsPerSecond: share * 10000, bytes: share * 2e10, share });
    const list = all ? [key('ann', 0.22, 0.12), key('customer-242', 0.04, 0.36), key('bob', 0.03, 0.71)] : [];
    return { body: { hottest: list, largest: list, sampled: true, bytesMax: 21474836480 } };
  }
  if (/locate$/.test(path)) return { body: { position: hex(at(0.12)), token: null, effectiveKey: '', partitionKey: JSON.parse(body).partitionKey, columns: [], partition: all ? 3 : 1, node: 0, begin: hex(0n), last: hex(quarter) } };
  if (path === 'connect') {
    return { body: { host: 'localhost', tls: true, onlyTls: false, account: 'localhost', key: null, certificate: '/_explorer/emulator.pem', ports: { sql: 8081, sqlDirect: 10251, cassandra: 9042, table: 8902, mongo: 27017, gremlin: 8182 },
      strings: { sql: 'AccountEndpoint=http://localhost:8081/;AccountKey=<account key>;', mongo: 'mongodb://localhost:27017/?replicaSet=globaldb' }, clusterDatacenter: 'datacenter1' } };
  }
  if (/advise$/.test(path)) {
    const candidate = (key, kind, figures) => ({ key, kind, paths: [key], today: false, filled: 1, distinct: 4120, largestShare: 0.19, hottestShare: 0.91, partitionsNow: 4, partitionsThen: 31, onePartition: 0.88, verdict: 'hot key', reason: 'one value takes 91 % of the load, and a key is never split', largest: ['ann'], hottest: ['ann'], ...figures });
    return { body: { id: '1', kind: 'advise', state: 'done', done: 20000, total: 20000, started: Date.now(), ended: Date.now(), error: null, result: { sampled: 20000, items: 2100000, bytes: 871000000, seed: 7, candidates: [
      candidate('/customer', 'single', { today: true }), candidate('/customer, /orderId', 'hierarchical', { distinct: 2100000, largestShare: 0, hottestShare: 0, verdict: 'best', reason: 'queries stay in one partition, and no value is large or hot' }), candidate('/orderId', 'single', { distinct: 2100000, largestShare: 0, hottestShare: 0, onePartition: 0.04, verdict: 'scatters', reason: 'only 4 % of the queries name it' })] } } };
  }
  if (path === 'query') {
    const asked = JSON.parse(body);
    if (asked.api === 'gremlin') {
      const vertices = ['marko', 'vadas', 'lop', 'josh', 'ripple', 'peter'].map((name, i) => ({ id: String(i + 1), label: [2, 4].includes(i) ? 'software' : 'person', properties: { name: [name] } }));
      const edges = [['1', '2', 'knows'], ['1', '4', 'knows'], ['1', '3', 'created'], ['4', '3', 'created'], ['4', '5', 'created'], ['6', '3', 'created']].map(([from, to, label], i) => ({ id: `e${i}`, label, from, to, properties: {} }));
      return { body: { activity: asked.activity, form: 'graph', columns: [], rows: [], documents: vertices, graph: { vertices, edges }, continuation: '', charge: 3.1, durationMs: 4.2 } };
    }
    return { body: { activity: asked.activity, form: 'rows', columns: [{ name: 'customer', type: 'text' }, { name: 'sum', type: 'number' }], rows: Array.from({ length: 312 }, (_, i) => [`customer-${i}`, 8112.5 / (i + 1)]), documents: [], graph: null,
      continuation: '', charge: 7.43, durationMs: 41.2, explanation: { total: 7.43, hints: ['name /customer in a condition to stay in one partition (about 1.10 RU)'], parts: [
        { partition: 3, what: 'index look-up', count: 1, charge: 0.25 }, { partition: 3, what: 'index entries examined', count: 640, charge: 1.28 }, { partition: 5, what: 'index look-up', count: 1, charge: 0.25 }, { partition: 5, what: 'index entries examined', count: 410, charge: 0.82 },
        { partition: 6, what: 'index look-up', count: 1, charge: 0.25 }, { partition: 6, what: 'index entries examined', count: 290, charge: 0.58 }, { partition: 2, what: 'index look-up', count: 1, charge: 0.25 }, { partition: 2, what: 'index entries examined', count: 1625, charge: 3.25 },
        { partition: null, what: 'partitions visited', count: 4, charge: 0.5 }] }, warnings: [] } };
  }
  return null;
}
