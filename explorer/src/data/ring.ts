// The ring of a container: 2^128 positions, of which some hash functions use the first quarter.

import type { ContainerSettings } from './admin';

const full = 1n << 128n;
const quarter = 1n << 126n;

export function position(hex: string): bigint {
  return BigInt(`0x${hex}`);
}

// Returns how many positions keys of this container can fall on; those begin at 0.
export function ringSize(settings: Pick<ContainerSettings, 'partitionKey'> | undefined): bigint {
  const key = settings?.partitionKey;
  if (!key) return full;
  if (key.kind === 'MultiHash') return quarter;
  return key.kind === 'Hash' && key.version !== 1 ? quarter : full;
}

// A place on the ring as a share of what keys can fall on, exact to 2^-40; 1 for all above.
export function share(at: bigint, size: bigint): number {
  if (at >= size) return 1;
  return Number((at << 40n) / size) / 2 ** 40;
}

export interface Arc {
  begin: number; // shares of the ring
  end: number;
}

// `last` belongs to the arc.
export function arc(begin: string, last: string, size: bigint): Arc {
  return { begin: share(position(begin), size), end: share(position(last) + 1n, size) };
}

// The token of Cassandra's partitioner that a position stands for.
export function token(hex: string): bigint {
  return (position(hex) >> 64n) - (1n << 63n);
}

// "1F3A…": as much of a position as tells neighbours apart.
export function shortPosition(hex: string, digits = 8): string {
  const text = hex.toUpperCase();
  const trimmed = text.replace(/(0+|F+)$/, '');
  return trimmed.length < digits && trimmed.length < text.length ? `${trimmed.padEnd(2, text.at(-1)!)}…` : `${text.slice(0, digits)}…`;
}
