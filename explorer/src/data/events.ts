// Events of the server in words.

import type { ServerEvent } from './admin';
import { count, duration, span } from './format';
import { keyToText } from './key';

const reasons: Record<string, string> = { size: 'size', load: 'load', throughput: 'more throughput', asked: 'asked for' };

const names = (ids: number[]): string => (ids.length === 1 ? `partition ${ids[0]}` : `partitions ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`);

export function describe(event: ServerEvent): string {
  const why = event.why ? ` (${reasons[event.why] ?? event.why})` : '';
  const pause = event.pauseMs === undefined ? '' : `; writers paused ${duration(event.pauseMs)}`;
  switch (event.kind) {
    case 'split':
      return `${sentence(names(event.before))} split into ${event.after.join(' and ')}${why}${pause}`;
    case 'merge':
      return `${sentence(names(event.before))} merged into ${event.after.join(', ')}${why}${pause}`;
    case 'move':
      return `${sentence(names(event.before.length > 0 ? event.before : event.after))} moved from node ${event.fromNode ?? '?'} to node ${event.toNode ?? '?'}${why}${pause}`;
    case 'throttling': {
      const key = event.hottest ? `; hottest key ${keyToText(event.hottest)}` : '';
      if (event.ended === null || event.ended === undefined) return `Throttling began on ${names(event.before)}${key}`;
      return `Throttling on ${names(event.before)} for ${span((event.ended - event.time) / 1000)}: ${count(event.refused ?? 0)} requests refused${key}`;
    }
    case 'setting': {
      const by = event.by ? `, by ${event.by}` : '';
      if (event.what === 'created' || event.what === 'deleted') return `${sentence(event.what)}${event.text ? `: ${event.text}` : ''}${by}`;
      return `${sentence(event.what ?? 'setting')} changed${event.text ? `: ${event.text}` : ''}${by}`;
    }
    default:
      return `${sentence(event.kind)}${event.text ? `: ${event.text}` : ''}${why}`;
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A throttling episode is told when it begins and again when it ends: the later one replaces the first.
export function joinEvents(fresh: ServerEvent[], old: ServerEvent[]): ServerEvent[] {
  const ended = new Set(fresh.map((event) => event.begins).filter((number) => number !== undefined));
  const known = new Set(fresh.map((event) => event.number));
  const kept = fresh.filter((event) => !ended.has(event.number) || event.begins === event.number);
  return [...kept, ...old.filter((event) => !ended.has(event.number) && !known.has(event.number))];
}
