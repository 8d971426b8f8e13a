// What the whole page knows of the server, kept fresh while the page is looked at: the session, the
// status, the load of every partition once a second, the events as they come.

import { sumOfUsed } from './history';
import { joinEvents } from './events';
import { AdminError, containers, server, session, whenUnauthorized, type Api, type Load, type ServerEvent, type Session, type Status } from './admin';

const loadEveryMs = 1_000;
const statusEveryMs = 4_000;
const retryMs = 2_000;
const samplesMax = 600; // of each container: ten minutes
const eventsMax = 500;
const recalledMax = 20; // containers whose past is asked for at the start

export interface Figures {
  partitions: number;
  bytes: number;
  items: number;
  used: number;
  rate: number | null; // null: unmetered
  throttled: number;
}

class Live {
  session = $state.raw<Session | null>(null);
  status = $state.raw<Status | null>(null);
  load = $state.raw<Load | null>(null);
  events = $state.raw<ServerEvent[]>([]);
  unreachable = $state(false);
  // Used RU/s of each container, second by second since the page was opened; names joined by "\0".
  samples = $state.raw(new Map<string, number[]>());

  private recalled = new Set<string>();
  private renewing = false;
  private running = false;
  private waiting: AbortController | null = null;

  get mayWrite(): boolean {
    return this.session?.access === 'readWrite';
  }

  // Finds out who we are, and logs in where nothing is asked. Returns whether the page may go on.
  async enter(): Promise<boolean> {
    whenUnauthorized(() => {
      if (this.running) void this.renew();
    });
    let found = await session.get();
    if (found.access === 'none' && found.trustLocal) {
      try {
        found = await session.open();
      } catch (error) {
        if (!(error instanceof AdminError) || error.status !== 401) throw error;
      }
    }
    this.session = found;
    if (found.access === 'none') return false;
    this.start();
    return true;
  }

  // The session has ended: where nothing is asked there is a new one at once, elsewhere a key is asked.
  private async renew(): Promise<void> {
    if (this.renewing) return;
    if (!this.session?.trustLocal) return this.leave(false);
    this.renewing = true;
    try {
      this.session = await session.open();
    } catch {
      await this.leave(false);
    } finally {
      this.renewing = false;
    }
  }

  async enterWith(key: string): Promise<void> {
    this.session = await session.open(key);
    this.start();
  }

  async leave(tellServer = true): Promise<void> {
    this.running = false;
    this.waiting?.abort();
    this.status = null;
    this.load = null;
    this.events = [];
    this.recalled.clear();
    if (tellServer) await session.close().catch(() => {});
    this.session = { access: 'none', trustLocal: false, tls: location.protocol === 'https:' };
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    void this.repeat(loadEveryMs, async () => this.takeLoad(await server.load()));
    void this.repeat(statusEveryMs, () => this.refresh());
    void this.followEvents();
  }

  // Now, not at the next turn: after a change that the user made.
  async refresh(): Promise<void> {
    this.status = await server.status();
  }

  private async repeat(everyMs: number, turn: () => Promise<void>): Promise<void> {
    while (this.running) {
      if (document.visibilityState === 'visible') {
        try {
          await turn();
          this.unreachable = false;
        } catch (error) {
          if (error instanceof AdminError && error.status === 0) this.unreachable = true;
        }
      }
      await pause(everyMs);
    }
  }

  private takeLoad(load: Load): void {
    this.load = load;
    const totals = new Array<number>(load.containers.length).fill(0);
    load.slices.container.forEach((container, i) => (totals[container]! += load.slices.used[i]!));
    const samples = new Map<string, number[]>();
    load.containers.forEach((container, i) => {
      const name = `${container.database}\0${container.container}`;
      samples.set(name, [...(this.samples.get(name) ?? []), totals[i]!].slice(-samplesMax));
    });
    this.samples = samples;
    for (const { database, container } of load.containers.slice(0, recalledMax)) void this.recall(database, container);
  }

  // The last ten minutes of a container, as the server remembers them; once.
  private async recall(database: string, container: string): Promise<void> {
    const name = `${database}\0${container}`;
    if (this.recalled.has(name)) return;
    this.recalled.add(name);
    try {
      const step = 10_000;
      const history = await containers.history(database, container, Date.now() - samplesMax * loadEveryMs, step);
      const sums = sumOfUsed(history.partitions.map((partition) => partition.used));
      const before = sums.flatMap((sum) => new Array<number>(step / loadEveryMs).fill(sum));
      this.samples = new Map(this.samples).set(name, [...before, ...(this.samples.get(name) ?? [])].slice(-samplesMax));
    } catch {
      // What is seen from now on is shown, then.
    }
  }

  private async followEvents(): Promise<void> {
    let after: number | undefined;
    while (this.running) {
      try {
        this.waiting = new AbortController();
        const options = after === undefined ? { max: 100 } : { after, wait: 20, max: 100 };
        const { next, events } = await server.events(options, this.waiting.signal);
        after = next;
        if (events.length > 0) {
          this.events = joinEvents(events, this.events).slice(0, eventsMax);
          void this.refresh().catch(() => {});
        }
      } catch {
        if (this.running) await pause(retryMs);
      }
    }
  }

  // The API whose users made the container.
  apiOf(database: string, container: string): Api | undefined {
    return this.load?.containers.find((each) => each.database === database && each.container === container)?.api;
  }

  figures(database: string, container: string): Figures | null {
    const load = this.load;
    const index = load?.containers.findIndex((each) => each.database === database && each.container === container) ?? -1;
    if (!load || index < 0) return null;
    const sum: Figures = { partitions: 0, bytes: 0, items: 0, used: 0, rate: 0, throttled: 0 };
    const slices = load.slices;
    for (let i = 0; i < slices.id.length; i++) {
      if (slices.container[i] !== index) continue;
      sum.partitions++;
      sum.bytes += slices.bytes[i]!;
      sum.items += slices.items[i]!;
      sum.used += slices.used[i]!;
      sum.throttled += slices.throttled[i]!;
      sum.rate = sum.rate === null || slices.rate[i] === null ? null : sum.rate + slices.rate[i]!;
    }
    return sum;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const live = new Live();
