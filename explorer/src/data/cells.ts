// Documents as rows of a table: which columns, and what a cell shows.

import { ExactNumber, writeExact, type Json, type JsonObject } from './exact_json';
import { shorten, visible } from './format';

const columnsMax = 12;
const cellMax = 120;

// The columns of documents: `first` where any has them, then the others by how many have them.
export function columnsOf(documents: Json[], first: string[] = [], max = columnsMax): string[] {
  const seen = new Map<string, number>();
  for (const document of documents) {
    if (document === null || typeof document !== 'object' || Array.isArray(document) || document instanceof ExactNumber) continue;
    for (const name of Object.keys(document)) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  const head = first.filter((name, i) => seen.has(name) && first.indexOf(name) === i);
  const rest = [...seen].filter(([name]) => !head.includes(name)).sort((a, b) => Number(a[0].startsWith('_')) - Number(b[0].startsWith('_')) || b[1] - a[1]);
  return [...head, ...rest.map(([name]) => name)].slice(0, max);
}

export function cellText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return shorten(visible(value), cellMax);
  return shorten(visible(writeExact(value)), cellMax);
}

export function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}

export function property(document: Json, name: string): Json | undefined {
  if (document === null || typeof document !== 'object' || Array.isArray(document) || document instanceof ExactNumber) return undefined;
  return Object.prototype.hasOwnProperty.call(document, name) ? (document as JsonObject)[name] : undefined;
}
