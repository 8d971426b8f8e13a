// The past of a container as boxes: one for each partition that has, or had, a part of its ring.
//
// A Timeline takes the server's history in pieces, each from where the last one ended, and answers
// what a picture needs: columns of load by partition at one step. A server that keeps no history is
// served by what the page itself saw (`addLoad`). A split never redraws what was before it.

import type { History, Load } from './admin';
import { arc, type Arc } from './ring';

export interface Box {
  id: number;
  arc: Arc;
  born: number | null; // null: before all that is known
  died: number | null;
  parents: number[];
  why: string;
  // One element for each step of the timeline; NaN is a gap.
  used: Float64Array;
  usedMax: Float64Array;
  throttled: Float64Array;
  bytes: Float64Array;
  rates: [number, number | null][];
}

export const tiers = [
  { step: 1_000, span: 600_000, name: '10 min' },
  { step: 10_000, span: 3_600_000, name: '1 h' },
  { step: 60_000, span: 86_400_000, name: '24 h' },
  { step: 900_000, span: 7 * 86_400_000, name: '7 d' },
] as const;
export type Tier = (typeof tiers)[number];

export class Timeline {
  readonly boxes = new Map<number, Box>();
  since: number | null = null; // when the server began to remember
  private first = 0; // number of the step that element 0 stands for
  readonly columns: number;

  constructor(readonly tier: Tier, private readonly ringSize: bigint, now: number) {
    this.columns = tier.span / tier.step;
    this.first = this.stepOf(now) - this.columns + 1;
  }

  private stepOf(time: number): number {
    return Math.floor(time / this.tier.step);
  }

  get from(): number {
    return this.first * this.tier.step;
  }

  get to(): number {
    return (this.first + this.columns) * this.tier.step;
  }

  // The column of a time; below 0 or past the last one when it is not shown.
  column(time: number): number {
    return (time - this.from) / this.tier.step;
  }

  // Moves the window so that `now` is in its last column; forgets what is older than it.
  advance(now: number): void {
    const shift = this.stepOf(now) - this.columns + 1 - this.first;
    if (shift <= 0) return;
    this.first += shift;
    for (const box of this.boxes.values()) {
      if (box.died !== null && box.died < this.from) {
        this.boxes.delete(box.id);
        continue;
      }
      for (const series of [box.used, box.usedMax, box.throttled, box.bytes]) {
        series.copyWithin(0, Math.min(shift, series.length));
        series.fill(NaN, Math.max(0, series.length - shift));
      }
    }
  }

  private box(id: number, begin: string, last: string): Box {
    let box = this.boxes.get(id);
    if (!box) {
      const empty = (): Float64Array => new Float64Array(this.columns).fill(NaN);
      box = { id, arc: arc(begin, last, this.ringSize), born: null, died: null, parents: [], why: '', used: empty(), usedMax: empty(),
        throttled: empty(), bytes: empty(), rates: [] };
      this.boxes.set(id, box);
    }
    return box;
  }

  addHistory(history: History): void {
    if (history.step !== this.tier.step) return;
    this.since = history.since;
    const offset = Math.round(history.from / history.step) - this.first;
    for (const partition of history.partitions) {
      const box = this.box(partition.id, partition.begin, partition.last);
      box.born = partition.born;
      box.died = partition.died;
      box.parents = partition.parents;
      box.why = partition.why ?? '';
      if (partition.rate.length > 0) box.rates = mergeRates(box.rates, partition.rate);
      const put = (to: Float64Array, from: (number | null)[]): void => {
        from.forEach((value, i) => {
          const column = offset + i;
          if (value !== null && column >= 0 && column < to.length) to[column] = value;
        });
      };
      put(box.used, partition.used);
      put(box.usedMax, partition.usedMax);
      put(box.throttled, partition.throttled);
      put(box.bytes, partition.bytes);
    }
  }

  // The newest second, from what the page polls anyway. `index` is the container's number in `load`.
  // Partitions that are no longer there ended now.
  addLoad(load: Load, index: number): void {
    const slices = load.slices;
    const column = this.stepOf(load.time) - this.first;
    const seen = new Set<number>();
    const hadAny = this.boxes.size > 0;
    for (let i = 0; i < slices.id.length; i++) {
      if (slices.container[i] !== index) continue;
      const id = slices.id[i]!;
      seen.add(id);
      const isNew = !this.boxes.has(id);
      const box = this.box(id, slices.begin[i]!, slices.last[i]!);
      if (isNew && hadAny) box.born = load.time;
      box.died = null;
      const before = box.rates.at(-1);
      if (!before || before[1] !== slices.rate[i]) box.rates.push([load.time, slices.rate[i]!]);
      if (column < 0 || column >= this.columns) continue;
      box.used[column] = slices.used[i]!;
      box.usedMax[column] = Math.max(slices.used[i]!, box.usedMax[column] || 0);
      box.throttled[column] = slices.throttled[i]!;
      box.bytes[column] = slices.bytes[i]!;
    }
    for (const box of this.boxes.values()) {
      if (box.died === null && !seen.has(box.id)) box.died = load.time;
    }
  }
}

function mergeRates(old: [number, number | null][], fresh: [number, number | null][]): [number, number | null][] {
  return [...old.filter(([time]) => time < fresh[0]![0]), ...fresh];
}

// The RU/s that a partition had at a time; null: unmetered.
export function rateAt(box: Pick<Box, 'rates'>, time: number): number | null {
  let rate = box.rates[0]?.[1] ?? null;
  for (const [since, value] of box.rates) {
    if (since > time) break;
    rate = value;
  }
  return rate;
}

// The columns [begin, end) in which a box is alive.
export function lifetime(box: Pick<Box, 'born' | 'died'>, timeline: Pick<Timeline, 'column' | 'columns'>): [number, number] {
  const begin = box.born === null ? 0 : Math.max(0, Math.floor(timeline.column(box.born)));
  const end = box.died === null ? timeline.columns : Math.min(timeline.columns, Math.floor(timeline.column(box.died)));
  return [begin, Math.max(begin, end)];
}

// The sum of several series, step by step; gaps count as nothing.
export function sumOfUsed(series: (number | null)[][]): number[] {
  const length = Math.max(0, ...series.map((each) => each.length));
  return Array.from({ length }, (_, i) => series.reduce((sum, each) => sum + (each[i] ?? 0), 0));
}
