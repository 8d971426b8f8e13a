// Partition keys of documents: as values, and as the text that addresses and fields have.

import { atPath, parseExact, writeExact, type Json, type JsonObject } from './exact_json';

// The values at the key's paths, as the admin interface takes them: an array, `{}` where a document
// has nothing at a path. "" for a container without a key.
export function keyOf(document: JsonObject, paths: string[]): string {
  if (paths.length === 0) return '';
  return writeExact(paths.map((path) => atPath(document, path) ?? {}));
}

// What a person types for a key: ann and "ann" are the text, 12 the number, ["a", 2] several levels.
export function keyFromText(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  try {
    const value = parseExact(trimmed);
    return value !== null && typeof value === 'object' && !Array.isArray(value) && !('text' in value) ? trimmed : value;
  } catch {
    return trimmed;
  }
}

export function keyToText(key: Json[] | Json): string {
  const values = Array.isArray(key) ? key : [key];
  if (values.length !== 1) return writeExact(values);
  const only = values[0]!;
  return typeof only === 'string' && keyFromText(only) === only ? only : writeExact(only);
}
