// The calls of the admin interface that the page makes (docs/admin-interface.md describes them), and
// the types of their answers. The only file that knows addresses of the server.

import { parseExact, writeExact, type Json, type JsonObject } from './exact_json';

export type Access = 'none' | 'readOnly' | 'readWrite';

export interface Session {
  access: Access;
  trustLocal: boolean;
  tls: boolean;
  expires?: number;
  account?: string;
  version?: string;
}

export type Throughput = { manual: number } | { autoscaleMax: number };

export interface ContainerStatus {
  database: string;
  id: string;
  kind: 'fixed' | 'unlimited';
  partitionKey: string[];
  throughput: { kind: string; requestUnitsPerSecond?: number; minimum?: number };
  partitions: number;
  bytes: number;
  items: number;
  indexProgress: number;
  advice: string[];
}

export interface ClusterNode {
  id: number;
  address: string;
  version: string;
  self: boolean;
  manager: boolean;
  answers: boolean;
  partitions: number;
  bytes: number;
  usedLastSecond: number;
  clockAheadMs: number;
}

export interface Status {
  status: string;
  version: string;
  account: string;
  uptimeSeconds: number;
  databases: number;
  partitions: number;
  items: number;
  bytes: number;
  partitionsNotOpen?: number[];
  cluster?: { id: string; nodes: ClusterNode[]; store: Record<string, unknown> };
  containers: ContainerStatus[];
  moreContainers: number;
}

export interface ContainerSettings {
  id: string;
  partitionKey?: { paths: string[]; kind: string; version?: number };
  throughput?: Throughput;
  indexingPolicy?: JsonObject;
  uniqueKeys?: string[][];
  defaultTtl?: number;
  feedRetentionMinutes?: number;
  order?: string;
  rowKeyPath?: string;
  extra?: { api?: string; mongo?: unknown; columns?: { name: string; type: string; kind: string; position?: number }[] } & Record<string, unknown>;
  [name: string]: unknown;
}

export interface Container {
  database: string;
  id: string;
  kind: 'fixed' | 'unlimited';
  throughputOf: 'container' | 'database' | 'nobody';
  version: number;
  indexProgress: number;
  settings: ContainerSettings;
}

// By columns; a row is a part of a container's ring that a partition has.
export interface Load {
  time: number;
  bytesMax: number;
  containers: { database: string; container: string; api?: Api; metered: boolean }[];
  slices: {
    container: number[];
    id: number[];
    begin: string[];
    last: string[];
    bytes: number[];
    items: number[];
    rate: (number | null)[];
    used: number[];
    throttled: number[];
    throttledTotal: number[];
    node: number[];
    open: boolean[];
  };
}

export interface HotKey {
  database: string;
  container: string;
  partition: number;
  partitionKey: Json[];
  columns?: string[];
  position: string;
  token?: string;
  requestUnitsPerSecond?: number;
  bytes?: number;
  share?: number;
}

export interface Keys {
  hottest: HotKey[];
  largest: HotKey[];
  sampled: boolean;
  bytesMax: number;
}

export interface Location {
  position: string;
  token?: string | null;
  effectiveKey?: string;
  partitionKey: Json[];
  columns: string[];
  partition: number;
  node: number;
  begin: string;
  last: string;
}

export interface PartitionHistory {
  id: number;
  born: number | null;
  died: number | null;
  parents: number[];
  children?: number[];
  why?: string;
  begin: string;
  last: string;
  node: number;
  rate: [number, number | null][];
  used: (number | null)[];
  usedMax: (number | null)[];
  throttled: (number | null)[];
  bytes: (number | null)[];
}

export interface History {
  since: number | null;
  from: number;
  to: number;
  step: number;
  partitions: PartitionHistory[];
}

export interface ServerEvent {
  number: number;
  time: number;
  kind: string;
  database?: string;
  container?: string;
  before: number[];
  after: number[];
  why?: string;
  by?: string;
  pauseMs?: number;
  ended?: number | null;
  begins?: number;
  refused?: number;
  hottest?: Json[];
  what?: string;
  text?: string;
  fromNode?: number;
  toNode?: number;
}

export type Api = 'sql' | 'cassandra' | 'mongo' | 'table' | 'gremlin';

export interface QueryRequest {
  api: Api;
  database?: string;
  container?: string;
  text: string;
  parameters?: Json;
  maxItems?: number;
  continuation?: string;
  explain?: boolean;
  activity?: string;
}

export interface ChargePart {
  partition: number | null;
  what: string;
  count: number;
  charge: number;
}

export interface Explanation {
  total: number;
  parts: ChargePart[];
  hints: string[];
}

export interface Graph {
  vertices: { id: string; label: string; properties: JsonObject }[];
  edges: { id: string; label: string; from: string; to: string; properties: JsonObject }[];
}

export interface QueryAnswer {
  activity: string;
  form: 'rows' | 'documents' | 'graph' | 'none';
  columns: { name: string; type: string }[];
  rows: Json[][];
  documents: Json[];
  graph: Graph | null;
  continuation: string;
  charge: number | null;
  durationMs: number;
  explanation?: Explanation;
  warnings?: string[];
}

export interface Candidate {
  key: string;
  kind: string;
  paths: string[];
  today: boolean;
  filled: number;
  distinct: number;
  largestShare: number;
  largest?: Json;
  hottestShare?: number;
  hottest?: Json;
  partitionsNow: number;
  partitionsThen: number;
  onePartition?: number;
  verdict: string;
  reason: string;
}

export interface Advice {
  sampled: number;
  items: number;
  bytes: number;
  seed: number;
  candidates: Candidate[];
}

export interface Job {
  id: string;
  kind: string;
  database?: string;
  container?: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  total: number | null;
  started: number;
  ended: number | null;
  error: string | null;
  result: Json;
}

export interface Statement {
  api: Api;
  database: string;
  container: string;
  statement: string;
  count: number;
  failed: number;
  charge: number;
  meanCharge: number;
  timeMs: number;
  meanMs: number;
  longestMs: number;
  buckets: number[];
  partitions: number | null;
  inOnePartition: number | null;
}

export interface Move {
  id: string;
  database: string;
  container: string;
  into: string;
  state: 'copying' | 'following' | 'done' | 'failed' | 'cancelled';
  copied: number;
  total: number;
  changes: number;
  started: number;
  ended: number | null;
  pauseMs: number | null;
  verified: number;
  digest: string | null;
  error: string | null;
}

export interface Connection {
  host: string;
  tls: boolean;
  onlyTls: boolean;
  account: string;
  key: string | null;
  certificate: string;
  ports: Record<string, number>;
  strings: Record<string, string>;
  clusterDatacenter?: string;
}

export interface ScanPage {
  items: { etag: string; timeMicros: number; document: JsonObject }[];
  continuation: string;
  partitionsVisited: number;
  lookedAt: number;
}

export interface Change {
  kind: string;
  etag: string;
  previousEtag?: string;
  timeMicros: number;
  partitionKey: Json[];
  id: Json[];
  document?: JsonObject;
}

export interface FeedPage {
  changes: Change[];
  continuation: string;
  drained: boolean;
}

export class AdminError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail: string = '',
    readonly position: { line: number; column: number } | null = null,
    readonly retryAfterMs: number = 0,
  ) {
    super(message);
  }
}

export interface Reply<T> {
  body: T;
  charge: number | null;
  etag: string;
  durationMs: number;
}

interface CallOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  exact?: boolean; // numbers of the answer as they were sent
  signal?: AbortSignal;
}

const admin = '../_admin/v1/';
let onUnauthorized: () => void = () => {};

// `then` runs when the server no longer knows the session.
export function whenUnauthorized(then: () => void): void {
  onUnauthorized = then;
}

async function ask<T>(address: string, options: CallOptions = {}): Promise<Reply<T>> {
  const headers: Record<string, string> = { 'X-Orrery-Explorer': '1', ...options.headers };
  const init: RequestInit = { method: options.method ?? 'GET', headers, cache: 'no-store', credentials: 'same-origin' };
  if (options.signal) init.signal = options.signal;
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    init.body = writeExact(options.body as Json);
  }
  const begin = performance.now();
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new AdminError(0, 'unreachable', 'The server does not answer.');
  }
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  const chargeText = response.headers.get('x-ms-request-charge');
  return {
    body: (text === '' ? undefined : options.exact ? parseExact(text) : JSON.parse(text)) as T,
    charge: chargeText === null ? null : Number(chargeText),
    etag: response.headers.get('etag') ?? '',
    durationMs: performance.now() - begin,
  };
}

function errorOf(response: Response, text: string): AdminError {
  let fields: { code?: string; message?: string; detail?: string; position?: { line: number; column: number } } = {};
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    // Not from this server: a proxy's page, say.
  }
  if (response.status === 401) onUnauthorized();
  const retry = Number(response.headers.get('x-ms-retry-after-ms') ?? Number(response.headers.get('retry-after') ?? 0) * 1000);
  return new AdminError(response.status, fields.code ?? String(response.status), fields.message ?? `The server answered ${response.status}.`,
    fields.detail ?? '', fields.position ?? null, retry);
}

const part = encodeURIComponent;
export const containerPath = (database: string, container: string): string => `databases/${part(database)}/containers/${part(container)}`;

function query(parameters: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${part(String(value))}`).join('&')}`;
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask<T>(admin + path, signal ? { signal } : {})).body;
}

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await ask<T>(admin + path, { method, ...(body === undefined ? {} : { body }) })).body;
}

export const session = {
  get: async (): Promise<Session> => (await ask<Session>('session')).body,
  open: async (key?: string): Promise<Session> => (await ask<Session>('session', { method: 'POST', body: key === undefined ? {} : { key } })).body,
  close: async (): Promise<void> => void (await ask<void>('session', { method: 'DELETE' })),
};

export const server = {
  status: (): Promise<Status> => get('status'),
  load: (): Promise<Load> => get('load'),
  events: (options: { after?: number; wait?: number; database?: string; container?: string; max?: number }, signal?: AbortSignal): Promise<{ next: number; events: ServerEvent[] }> =>
    get(`events${query(options)}`, signal),
  connect: (withKey: boolean): Promise<Connection> => get(`connect${withKey ? '?key=true' : ''}`),
  jobs: (): Promise<{ jobs: Job[] }> => get('jobs'),
  job: (id: string): Promise<Job> => get(`jobs/${part(id)}`),
  endJob: (id: string): Promise<void> => send('DELETE', `jobs/${part(id)}`),
  statements: (order: string): Promise<{ bucketsMs: number[]; statements: Statement[] }> => get(`statements${query({ order })}`),
  clearStatements: (): Promise<void> => send('DELETE', 'statements'),
  moves: (): Promise<{ moves: Move[] }> => get('moves'),
  endMove: (id: string): Promise<void> => send('DELETE', `moves/${part(id)}`),
  query: (request: QueryRequest, signal?: AbortSignal): Promise<Reply<QueryAnswer>> =>
    ask(`${admin}query`, { method: 'POST', body: request, exact: true, ...(signal ? { signal } : {}) }),
  plan: (request: QueryRequest): Promise<Reply<{ plan: Json }>> => ask(`${admin}query/plan`, { method: 'POST', body: request, exact: true }),
  cancel: (activity: string): Promise<void> => send('DELETE', `query/${part(activity)}`),
};

export const databases = {
  create: (id: string, throughput?: Throughput): Promise<void> => send('POST', 'databases', throughput ? { id, throughput } : { id }),
  list: (): Promise<{ databases: { id: string; containers: number }[] }> => get('databases'),
  remove: (id: string): Promise<void> => send('DELETE', `databases/${part(id)}`),
};

export const partitions = {
  split: (id: number): Promise<{ partition: number; children: number[]; pauseMs: number }> => send('POST', `partitions/${id}/split`, {}),
  merge: (left: number, right: number): Promise<{ partition: number }> => send('POST', 'partitions/merge', { left, right }),
  keys: (id: number): Promise<Keys> => get(`partitions/${id}/keys`),
};

export const containers = {
  create: (database: string, settings: ContainerSettings): Promise<Container> => send('POST', `databases/${part(database)}/containers`, settings),
  get: (database: string, container: string): Promise<Container> => get(containerPath(database, container)),
  replace: (database: string, container: string, settings: ContainerSettings): Promise<Container> =>
    send('PUT', containerPath(database, container), settings),
  remove: (database: string, container: string): Promise<void> => send('DELETE', containerPath(database, container)),
  throughput: (database: string, container: string | null): Promise<{ throughput: Throughput; minimum: number }> =>
    get(`${container === null ? `databases/${part(database)}` : containerPath(database, container)}/throughput`),
  setThroughput: (database: string, container: string | null, value: Throughput): Promise<{ throughput: Throughput; minimum: number }> =>
    send('PUT', `${container === null ? `databases/${part(database)}` : containerPath(database, container)}/throughput`, value),
  keys: (database: string, container: string, n = 10): Promise<Keys> => get(`${containerPath(database, container)}/keys?n=${n}`),
  locate: (database: string, container: string, partitionKey: Json): Promise<Location> =>
    send('POST', `${containerPath(database, container)}/locate`, { partitionKey }),
  history: (database: string, container: string, from: number, step: number): Promise<History> =>
    get(`history${query({ database, container, from: Math.floor(from), step })}`),
  move: (database: string, container: string, changes: JsonObject): Promise<Move> => send('POST', `${containerPath(database, container)}/move`, changes),
  advise: (database: string, container: string, body: object): Promise<Job> => send('POST', `${containerPath(database, container)}/advise`, body),
  scan: (database: string, container: string, body: object): Promise<Reply<ScanPage>> =>
    ask(`${admin}${containerPath(database, container)}/scan`, { method: 'POST', body, exact: true }),
  feed: (database: string, container: string, body: object): Promise<Reply<FeedPage>> =>
    ask(`${admin}${containerPath(database, container)}/feed`, { method: 'POST', body, exact: true }),
};

// Items: `key` is the partition key as JSON, "" for a fixed container.
export const items = {
  path: (database: string, container: string, id: string, key: string): string =>
    `${admin}${containerPath(database, container)}/items/${part(id)}${query({ partitionKey: key })}`,
  read: (database: string, container: string, id: string, key: string): Promise<Reply<JsonObject>> =>
    ask(items.path(database, container, id, key), { exact: true }),
  create: (database: string, container: string, document: Json): Promise<Reply<JsonObject>> =>
    ask(`${admin}${containerPath(database, container)}/items`, { method: 'POST', body: document, exact: true }),
  replace: (database: string, container: string, id: string, key: string, document: Json, etag: string): Promise<Reply<JsonObject>> =>
    ask(items.path(database, container, id, key), { method: 'PUT', body: document, exact: true, headers: etag ? { 'If-Match': etag } : {} }),
  remove: (database: string, container: string, id: string, key: string, etag: string): Promise<Reply<void>> =>
    ask(items.path(database, container, id, key), { method: 'DELETE', headers: etag ? { 'If-Match': etag } : {} }),
};
