// The ring, its history, and the picture of both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { History, Load, ServerEvent } from '../src/data/admin';
import { byPartition, sumOf } from '../src/data/charge';
import { describe, joinEvents } from '../src/data/events';
import { layOut } from '../src/data/force';
import { palette, paletteIndex } from '../src/data/heat';
import { Timeline, lifetime, rateAt, tiers } from '../src/data/history';
import { paint, shareAt, usedMax } from '../src/data/painting';
import { partsOf } from '../src/data/parts';
import { arc, position, ringSize, share, shortPosition, token } from '../src/data/ring';

const now = 1_790_000_000_000;
const full = 1n << 128n;
const zero = '0'.repeat(32);
const top = 'F'.repeat(32);
const middle = `8${'0'.repeat(31)}`;
const below = `7${'F'.repeat(31)}`;

test('shares of the ring are exact for 128 bits', () => {
  assert.equal(share(position(zero), full), 0);
  assert.equal(share(position(middle), full), 0.5);
  assert.deepEqual(arc(zero, below, full), { begin: 0, end: 0.5 });
  assert.deepEqual(arc(middle, top, full), { begin: 0.5, end: 1 });
  // Keys of the second hash fall on the first quarter; what is above it belongs to the last one.
  const size = ringSize({ partitionKey: { paths: ['/a'], kind: 'Hash', version: 2 } });
  assert.deepEqual(arc(`2${'0'.repeat(31)}`, top, size), { begin: 0.5, end: 1 });
  assert.equal(ringSize({ partitionKey: { paths: ['/k0'], kind: 'Cassandra' } }), full);
  assert.equal(ringSize({ partitionKey: { paths: ['/a'], kind: 'Hash', version: 1 } }), full);
  assert.equal(ringSize(undefined), full);
});

test('a position has its token', () => {
  assert.equal(token(zero), -(2n ** 63n));
  assert.equal(token(middle), 0n);
  assert.equal(token(top), 2n ** 63n - 1n);
  assert.equal(shortPosition(`1F3A${'0'.repeat(28)}`), '1F3A…');
  assert.equal(shortPosition('0123456789ABCDEF0123456789ABCDEF'), '01234567…');
});

const piece = (id: number, begin: string, last: string, extra: Partial<History['partitions'][number]>): History['partitions'][number] => ({
  id, born: null, died: null, parents: [], begin, last, node: 0, rate: [[now - 600_000, 1000]], used: [], usedMax: [], throttled: [], bytes: [], ...extra });

function history(from: number, count: number, partitions: History['partitions']): History {
  return { since: now - 900_000, from, to: from + count * 1000, step: 1000, partitions };
}

test('history over a split has both: what was before is not redrawn', () => {
  const timeline = new Timeline(tiers[0], full, now);
  const from = now - 9_000;
  const split = now - 5_000;
  const gap = [null, null, null, null, null];
  const series = { throttled: [0, 0, 0, 0, 0], bytes: [1, 1, 1, 1, 1] };
  timeline.addHistory(history(from, 10, [
    piece(1, zero, top, { died: split, used: [1, 2, 3, 4, ...gap, null], usedMax: [1, 2, 3, 4, ...gap, null], ...series }),
    piece(2, zero, below, { born: split, parents: [1], why: 'load', used: [...gap, 5, 6, 7, 8, 9], usedMax: [...gap, 5, 6, 7, 8, 9], ...series }),
    piece(3, middle, top, { born: split, parents: [1], used: [...gap, 0, 0, 0, 0, 0], usedMax: [...gap, 0, 0, 0, 0, 0], ...series }),
  ]));
  const [one, two] = [timeline.boxes.get(1)!, timeline.boxes.get(2)!];
  const column = Math.round(timeline.column(from));
  assert.equal(column, 590);
  assert.deepEqual([...one.used.slice(column, column + 5)], [1, 2, 3, 4, NaN]);
  assert.deepEqual([...two.used.slice(column + 5)], [5, 6, 7, 8, 9]);
  assert.deepEqual(lifetime(one, timeline), [0, 594]);
  assert.deepEqual(lifetime(two, timeline), [594, 600]);
  assert.deepEqual(two.arc, { begin: 0, end: 0.5 });
  // A later piece joins it, and time goes on.
  timeline.advance(now + 2_000);
  timeline.addHistory(history(now, 3, [piece(2, zero, below, { born: split, used: [10, 11, 12], usedMax: [10, 11, 12], throttled: [1, 0, 0], bytes: [2, 2, 2] })]));
  assert.deepEqual([...two.used.slice(-7)], [5, 6, 7, 8, 10, 11, 12]);
  // What ended before the window is forgotten.
  timeline.advance(now + 700_000);
  assert.equal(timeline.boxes.has(1), false);
  assert.equal(timeline.boxes.has(2), true);
});

function load(time: number, rows: { id: number; begin: string; last: string; used: number; rate?: number | null }[]): Load {
  const column = <T>(value: (row: (typeof rows)[number]) => T): T[] => rows.map(value);
  return { time, bytesMax: 100, containers: [{ database: 'd', container: 'other', metered: true }, { database: 'd', container: 'c', metered: true }],
    slices: { container: column(() => 1), id: column((row) => row.id), begin: column((row) => row.begin), last: column((row) => row.last), bytes: column(() => 50), items: column(() => 1),
      rate: column((row) => (row.rate === undefined ? 1000 : row.rate)), used: column((row) => row.used), throttled: column(() => 0), throttledTotal: column(() => 0), node: column(() => 0), open: column(() => true) } };
}

test('without history of the server the page remembers what it saw', () => {
  const timeline = new Timeline(tiers[0], full, now);
  timeline.addLoad(load(now - 1000, [{ id: 1, begin: zero, last: top, used: 500 }]), 1);
  timeline.addLoad(load(now, [{ id: 2, begin: zero, last: below, used: 300 }, { id: 3, begin: middle, last: top, used: 100 }]), 1);
  assert.equal(timeline.boxes.get(1)!.died, now);
  assert.equal(timeline.boxes.get(2)!.born, now);
  assert.equal(timeline.boxes.get(2)!.used.at(-1), 300);
  assert.equal(rateAt(timeline.boxes.get(2)!, now), 1000);
});

test('the rate of a time is the one that was set before it', () => {
  const rates: [number, number | null][] = [[100, 400], [200, null], [300, 800]];
  assert.deepEqual([50, 150, 250, 350].map((time) => rateAt({ rates }, time)), [400, 400, null, 800]);
});

test('the picture colours each partition by its share, in its arc', () => {
  const timeline = new Timeline(tiers[0], full, now);
  timeline.addLoad(load(now, [{ id: 2, begin: zero, last: below, used: 1400 }, { id: 3, begin: middle, last: top, used: 0, rate: null }]), 1);
  const scale = { measure: 'load' as const, bytesMax: 100, usedMax: usedMax(timeline) };
  const colours = palette(false);
  const pixels = new Uint32Array(timeline.columns * 8);
  paint(timeline, scale, colours, 8, pixels);
  const last = timeline.columns - 1;
  const at = (y: number): number => pixels[y * timeline.columns + last]!;
  assert.equal(at(0), colours[255]);
  assert.equal(at(3), colours[255]);
  assert.equal(at(4), colours[0]);
  assert.equal(pixels[last - 1], 0);
  assert.equal(shareAt(timeline.boxes.get(2)!, last, timeline, { ...scale, measure: 'data' }), 0.5);
  assert.equal(paletteIndex(99), 255);
  assert.equal(paletteIndex(-1), 0);
});

test('a thousand partitions are painted within a frame', () => {
  const timeline = new Timeline(tiers[0], full, now);
  const width = full / 1000n;
  const hex = (value: bigint): string => value.toString(16).padStart(32, '0');
  const rows = Array.from({ length: 1000 }, (_, i) => ({ id: i + 1, begin: hex(BigInt(i) * width), last: hex(BigInt(i + 1) * width - 1n), used: i }));
  timeline.addLoad(load(now, rows), 1);
  const pixels = new Uint32Array(timeline.columns * 880);
  paint(timeline, { measure: 'load', bytesMax: 1, usedMax: 1 }, palette(true), 880, pixels);
  assert.equal(timeline.boxes.size, 1000);
  assert.notEqual(pixels[timeline.columns * 880 - 1], 0);
});

test('parts are those of the container, and only those', () => {
  const answer = load(now, [{ id: 7, begin: zero, last: top, used: 3 }]);
  assert.deepEqual(partsOf(answer, 'd', 'c', full).parts.map((part) => part.id), [7]);
  assert.deepEqual(partsOf(answer, 'd', 'other', full).parts, []);
});

test('parts of a charge sum to the hundredth', () => {
  const parts = Array.from({ length: 30 }, (_, i) => ({ partition: i % 3 === 0 ? null : i % 3, what: 'x', count: 1, charge: 0.1 }));
  assert.equal(sumOf(parts), 3);
  assert.deepEqual(byPartition([{ partition: null, what: 'a', count: 1, charge: 9 }, { partition: 1, what: 'b', count: 1, charge: 1 }, { partition: 2, what: 'c', count: 1, charge: 2 }]).map((group) => group.partition), [2, 1, null]);
});

test('events are sentences, and an episode is told once', () => {
  const event = (fields: Partial<ServerEvent>): ServerEvent => ({ number: 1, time: now, kind: 'split', before: [], after: [], ...fields });
  assert.equal(describe(event({ before: [1], after: [3, 4], why: 'load', pauseMs: 6.1 })), 'Partition 1 split into 3 and 4 (load); writers paused 6.1 ms');
  assert.equal(describe(event({ kind: 'merge', before: [3, 4], after: [5], why: 'asked' })), 'Partitions 3 and 4 merged into 5 (asked for)');
  assert.equal(describe(event({ kind: 'throttling', before: [1], ended: null, hottest: ['ann'] })), 'Throttling began on partition 1; hottest key ann');
  assert.equal(describe(event({ kind: 'throttling', before: [1], ended: now + 12_000, refused: 312 })), 'Throttling on partition 1 for 12 s: 312 requests refused');
  assert.equal(describe(event({ kind: 'setting', what: 'throughput', text: '400 RU/s to 1000 RU/s', by: 'admin' })), 'Throughput changed: 400 RU/s to 1000 RU/s, by admin');
  const began = event({ number: 5, kind: 'throttling', ended: null, begins: 5 });
  const ended = event({ number: 9, kind: 'throttling', ended: now, begins: 5 });
  assert.deepEqual(joinEvents([ended], [began, event({ number: 2 })]).map((each) => each.number), [9, 2]);
  assert.deepEqual(joinEvents([began], []).map((each) => each.number), [5]);
});

test('a graph is laid out the same way each time, and apart', () => {
  const edges: [number, number][] = [[0, 1], [1, 2], [2, 0]];
  const first = layOut(5, edges);
  assert.deepEqual(layOut(5, edges), first);
  for (let i = 0; i < 5; i++) for (let j = i + 1; j < 5; j++) assert.ok(Math.hypot(first[i]!.x - first[j]!.x, first[i]!.y - first[j]!.y) > 20);
});
