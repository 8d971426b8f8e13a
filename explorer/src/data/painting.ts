// The past of a ring as pixels: one column for each step of time, one row for each pixel of height.
// Each partition's row of colours is computed once and copied down its arc, so that a thousand
// partitions cost no more than the picture's size.

import { paletteIndex } from './heat';
import { lifetime, rateAt, type Box, type Timeline } from './history';

export type Measure = 'load' | 'data';

export interface Scale {
  measure: Measure;
  bytesMax: number; // of a partition
  usedMax: number; // RU/s that unmetered partitions are measured by
}

// The share of its limit that a partition used in a column; NaN when nothing is known.
export function shareAt(box: Box, column: number, timeline: Timeline, scale: Scale): number {
  if (scale.measure === 'data') return box.bytes[column]! / scale.bytesMax;
  const rate = rateAt(box, timeline.from + (column + 0.5) * timeline.tier.step);
  return box.used[column]! / (rate ?? scale.usedMax);
}

// Fills `pixels` (columns x height). 0, transparent, where nothing is known.
export function paint(timeline: Timeline, scale: Scale, colours: Uint32Array, height: number, pixels: Uint32Array): void {
  pixels.fill(0);
  const width = timeline.columns;
  const row = new Uint32Array(width);
  const hatched = new Uint32Array(width);
  for (const box of timeline.boxes.values()) {
    const [begin, end] = lifetime(box, timeline);
    if (end <= begin) continue;
    let anyRefused = false;
    for (let column = begin; column < end; column++) {
      const share = shareAt(box, column, timeline, scale);
      const colour = Number.isNaN(share) ? 0 : colours[paletteIndex(share)]!;
      row[column] = colour;
      const refused = scale.measure === 'load' && box.throttled[column]! > 0;
      hatched[column] = refused ? darker(colour) : colour;
      anyRefused ||= refused;
    }
    const top = Math.round(box.arc.begin * height);
    const bottom = Math.max(top + 1, Math.round(box.arc.end * height));
    for (let y = top; y < Math.min(bottom, height); y++) {
      const source = anyRefused && y % 4 === 0 ? hatched : row;
      pixels.set(source.subarray(begin, end), y * width + begin);
    }
  }
}

function darker(pixel: number): number {
  const half = (value: number): number => (value >> 1) & 0x7f;
  return ((255 << 24) | (half((pixel >> 16) & 0xff) << 16) | (half((pixel >> 8) & 0xff) << 8) | half(pixel & 0xff)) >>> 0;
}

// The highest RU/s in view: what unmetered partitions are measured by.
export function usedMax(timeline: Timeline): number {
  let max = 1;
  for (const box of timeline.boxes.values()) {
    for (const value of box.used) if (value > max) max = value;
  }
  return max;
}
