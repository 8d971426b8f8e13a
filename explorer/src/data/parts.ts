// The partitions of one container now, in ring order.

import type { Load } from './admin';
import { arc, type Arc } from './ring';

export interface Part {
  id: number;
  begin: string;
  last: string;
  arc: Arc;
  bytes: number;
  items: number;
  rate: number | null;
  used: number;
  throttled: number;
  throttledTotal: number;
  node: number;
  open: boolean;
}

export function partsOf(load: Load, database: string, container: string, ringSize: bigint): { index: number; parts: Part[] } {
  const index = load.containers.findIndex((each) => each.database === database && each.container === container);
  const slices = load.slices;
  const parts: Part[] = [];
  for (let i = 0; i < slices.id.length; i++) {
    if (slices.container[i] !== index) continue;
    parts.push({ id: slices.id[i]!, begin: slices.begin[i]!, last: slices.last[i]!, arc: arc(slices.begin[i]!, slices.last[i]!, ringSize),
      bytes: slices.bytes[i]!, items: slices.items[i]!, rate: slices.rate[i]!, used: slices.used[i]!, throttled: slices.throttled[i]!,
      throttledTotal: slices.throttledTotal[i]!, node: slices.node[i]!, open: slices.open[i]! });
  }
  return { index, parts };
}
