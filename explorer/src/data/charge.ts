// The parts of a charge.

import type { ChargePart } from './admin';

// In hundredths, so that the sum is exact.
export function sumOf(parts: ChargePart[]): number {
  return parts.reduce((sum, part) => sum + Math.round(part.charge * 100), 0) / 100;
}

// Partitions by what they cost, the most expensive first; what belongs to none comes last.
export function byPartition(parts: ChargePart[]): { partition: number | null; parts: ChargePart[] }[] {
  const groups = new Map<number | null, ChargePart[]>();
  for (const part of parts) groups.set(part.partition, [...(groups.get(part.partition) ?? []), part]);
  return [...groups].map(([partition, own]) => ({ partition, parts: own }))
    .sort((a, b) => Number(a.partition === null) - Number(b.partition === null) || sumOf(b.parts) - sumOf(a.parts));
}
