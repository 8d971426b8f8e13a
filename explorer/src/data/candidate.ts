// A candidate key as people write it: "/a", "/a, /b" (levels), "/a + /b" (joined), "/id % 16" (buckets).

import type { Json } from './exact_json';

// Returns null for an empty text.
export function candidateFromText(text: string): Json | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const path = (part: string): string => {
    const name = part.trim();
    if (name === '' || name === '/') throw new Error('A property is missing; write /a, or /a, /b, or /a + /b, or /id % 16');
    return name.startsWith('/') ? name : `/${name}`;
  };
  const bucket = /^(.+?)\s*%\s*(\d+)$/.exec(trimmed);
  if (bucket) return { bucket: path(bucket[1]!), of: Number(bucket[2]) };
  if (trimmed.includes('+')) return { join: trimmed.split('+').map(path) };
  return trimmed.split(',').map(path);
}
