// Addresses of the page. All are behind the '#': names of databases and containers, whatever is in
// them, never reach the server's routes or logs.

export const containerPages = ['map', 'data', 'settings', 'feed', 'adviser'] as const;
export type ContainerPage = (typeof containerPages)[number];
export const serverPages = ['query', 'statements', 'events', 'transfer', 'connect', 'nodes'] as const;
export type ServerPage = (typeof serverPages)[number];

export interface Place {
  page: 'home' | ServerPage | ContainerPage;
  database: string; // empty for pages of the server
  container: string;
  rest: string[]; // what follows the page's name
  query: Record<string, string>;
}

export const home: Place = { page: 'home', database: '', container: '', rest: [], query: {} };

function encode(text: string): string {
  // A lone surrogate cannot be written in an address.
  return encodeURIComponent(text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Returns null for an address that is none of ours.
export function parseAddress(hash: string): Place | null {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#?\/?/, ''), '?');
  const place: Place = { ...home, rest: [], query: {} };
  for (const pair of query.split('&')) {
    if (!pair) continue;
    const [name, value] = splitOnce(pair, '=');
    place.query[decode(name)] = decode(value ?? '');
  }
  const segments = path.split('/').filter((segment) => segment !== '').map(decode);
  if (segments.length === 0) return place;
  if (segments[0] === 'd') {
    const [, database, container, page = 'map', ...rest] = segments;
    if (database === undefined || container === undefined) return null;
    if (!(containerPages as readonly string[]).includes(page)) return null;
    return { ...place, page: page as ContainerPage, database, container, rest };
  }
  if (!(serverPages as readonly string[]).includes(segments[0]!)) return null;
  return { ...place, page: segments[0] as ServerPage, rest: segments.slice(1) };
}

export function addressOf(place: Partial<Place> & { page: Place['page'] }): string {
  const { page, database = '', container = '', rest = [], query = {} } = place;
  const segments = page === 'home' ? [] : (containerPages as readonly string[]).includes(page) ? ['d', database, container, page, ...rest] : [page, ...rest];
  const pairs = Object.entries(query).filter(([, value]) => value !== '');
  const tail = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return `#/${segments.map(encode).join('/')}${tail ? `?${tail}` : ''}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
