// Queries that this browser remembers: the last ones, and those saved by name.

import type { Api } from './admin';

export interface Kept {
  api: Api;
  database: string;
  container: string;
  text: string;
  time: number;
  name?: string;
}

class KeptQueries {
  list = $state<Kept[]>([]);

  constructor(private readonly storage: string, private readonly max: number) {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(storage) ?? '[]');
      if (Array.isArray(found)) this.list = found.filter((entry: Kept) => typeof entry?.text === 'string' && typeof entry.api === 'string').slice(0, max) as Kept[];
    } catch {
      // Nothing is kept, then.
    }
  }

  add(entry: Kept): void {
    this.list = [entry, ...this.list.filter((each) => each.text !== entry.text || each.api !== entry.api || each.container !== entry.container || each.name !== entry.name)].slice(0, this.max);
    this.store();
  }

  remove(index: number): void {
    this.list = this.list.filter((_, i) => i !== index);
    this.store();
  }

  clear(): void {
    this.list = [];
    this.store();
  }

  private store(): void {
    try {
      localStorage.setItem(this.storage, JSON.stringify(this.list));
    } catch {
      // A browser without storage, or a full one, forgets it.
    }
  }
}

export const historyOf = new KeptQueries('orrery-query-history', 50);
export const kept = new KeptQueries('orrery-queries', 200);
