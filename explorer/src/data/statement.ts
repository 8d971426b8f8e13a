// Texts of statements: names as languages quote them, and which statement of several is meant.

import type { Api } from './admin';

export function cqlName(name: string): string {
  return /^[a-z][a-z0-9_]*$/.test(name) ? name : `"${name.replace(/"/g, '""')}"`;
}

export interface Piece {
  from: number;
  to: number;
}

// The statements of a CQL text: between semicolons that are in no string, name, comment or function body.
export function splitStatements(text: string): Piece[] {
  const pieces: Piece[] = [];
  const skip = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|\$\$[\s\S]*?(?:\$\$|$)|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g;
  let from = 0;
  let inBatch = false;
  const end = (to: number): void => {
    const piece = trim(text, from, to);
    if (piece) pieces.push(piece);
    from = to + 1;
  };
  for (const match of text.matchAll(skip)) {
    if (match[0] !== ';') continue;
    const words = text.slice(from, match.index);
    if (/^\s*begin\s+(?:\w+\s+)?batch\b/i.test(withoutComments(words))) inBatch = !/\bapply\s+batch\s*$/i.test(words);
    if (!inBatch) end(match.index);
  }
  end(text.length);
  return pieces;
}

function withoutComments(text: string): string {
  return text.replace(/--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
}

function trim(text: string, from: number, to: number): Piece | null {
  const part = text.slice(from, to);
  if (withoutComments(part).trim() === '') return null;
  const lead = part.length - part.trimStart().length;
  return { from: from + lead, to: from + part.trimEnd().length };
}

// What to run: the selection, else for CQL the statement at the cursor, else all.
export function chosenText(api: Api, text: string, selection: Piece): string {
  if (selection.to > selection.from) return text.slice(selection.from, selection.to);
  if (api !== 'cassandra') return text.trim();
  const pieces = splitStatements(text);
  const at = pieces.find((piece) => selection.from <= piece.to + 1) ?? pieces.at(-1);
  return at ? text.slice(at.from, at.to) : '';
}

// A first query for a container.
export function template(api: Api, database: string, container: string): string {
  switch (api) {
    case 'sql':
      return 'SELECT TOP 100 * FROM c';
    case 'cassandra':
      return database && container ? `SELECT * FROM ${cqlName(database)}.${cqlName(container)} LIMIT 100` : 'SELECT * FROM system_schema.tables';
    case 'mongo':
      return /^[A-Za-z_]\w*$/.test(container) || !container ? `db.${container || 'collection'}.find({}).limit(100)` : `{"find": ${JSON.stringify(container)}, "filter": {}, "limit": 100}`;
    case 'table':
      return '';
    case 'gremlin':
      return 'g.V().limit(100)';
  }
}

export const apis: { api: Api; name: string }[] = [
  { api: 'sql', name: 'SQL' },
  { api: 'cassandra', name: 'CQL' },
  { api: 'mongo', name: 'MongoDB' },
  { api: 'table', name: 'Table' },
  { api: 'gremlin', name: 'Gremlin' },
];
