/** Keeps track of the activities that wait for responses of a pool. */

import { forEachLimited } from '../../core/each-of.js';
import type { Batching, WaitingActivities } from '../runtime/ports.js';
import { postponement } from '../runtime/retry-policy.js';
import { type ListedRecord, type RequestPool, requestIdOf, type Waiter } from './pool.js';
import type { BatchTrigger } from './when-due.js';

/**
 * A waiter without its input, as it is kept in memory: thousands of inputs would fill the memory.
 */
type Known = Omit<Waiter, 'input' | 'call'> & {
  name: string;
  /** Time at which it was seen first, in milliseconds since 1970. */
  seenAt: number;
};

/** Maximum number of calls to the Temporal server and the store at the same time. */
const AT_ONCE = 20;

/** Number of heartbeats sent for a waiter within its heartbeat timeout. */
const BEATS = 3;

/**
 * Longest time that a waiter may be without a request before it is released. The waiter is written
 * first, so it is without one for a moment.
 */
const ORPHAN_MS = 10_000;

/**
 * Times of the last heartbeat that this process sent for each waiter, in milliseconds since 1970.
 * Each batch that begins or ends starts a new watch. The times outlive it, so a new watch does not
 * put off every heartbeat.
 */
const beats = new WeakMap<Batching, Map<string, number>>();

function beatsOf(batching: Batching): Map<string, number> {
  const known = beats.get(batching) ?? new Map<string, number>();
  beats.set(batching, known);
  return known;
}

/**
 * The activities whose model calls wait in a pool for a provider batch, as this process knows
 * them. Its methods send their heartbeats, and end the attempts of those that have waited too
 * long, whose next attempt makes the call itself.
 */
export class Waiters {
  private readonly known = new Map<string, Known>();
  private readonly pool: RequestPool;
  private readonly lastBeats: Map<string, number>;

  /** @param name Name of the pool. */
  constructor(
    private readonly name: string,
    batching: Batching,
    private readonly server: WaitingActivities,
  ) {
    this.pool = batching.pool;
    this.lastBeats = beatsOf(batching);
  }

  /** Whether no activity waits. */
  get isEmpty(): boolean {
    return this.known.size === 0;
  }

  /** Returns the ids of the requests that activities wait for. */
  get wantedIds(): Set<string> {
    return new Set([...this.known.keys()].map(requestIdOf));
  }

  /** Reads new waiters, and forgets those that are gone. */
  async read(): Promise<void> {
    const names = new Set((await this.pool.waiters.list(this.name)).map(({ id }) => id));
    for (const waiter of this.known.keys()) if (!names.has(waiter)) this.forget(waiter);
    const fresh = [...names].filter((waiter) => !this.known.has(waiter));
    await forEachLimited(fresh, AT_ONCE, async (name) => {
      const waiter = await this.pool.waiters.get(this.name, name);
      if (!waiter) return this.pool.waiters.drop(this.name, name);
      const { input: _, call: __, ...known } = waiter;
      this.known.set(name, { ...known, name, seenAt: Date.now() });
    });
  }

  /** Fails waiters that waited longer than their limit: their next attempt makes the call itself. */
  releaseOverdue(inBatches: ReadonlySet<string>): Promise<void> {
    const now = Date.now();
    return this.release(
      ({ name, since, patienceSeconds }) =>
        now - since >= patienceSeconds * 1000 && !inBatches.has(requestIdOf(name)),
      ({ patienceSeconds }) =>
        `No batch has answered within ${patienceSeconds} s: the call is made on its own.`,
    );
  }

  /**
   * Fails waiters whose request was answered while they were added: their next attempt reads the
   * response from the cache.
   */
  releaseOrphans(requests: readonly ListedRecord[]): Promise<void> {
    const asked = new Set(requests.map(({ id }) => id));
    return this.release(
      ({ name, seenAt }) => !asked.has(requestIdOf(name)) && Date.now() - seenAt >= ORPHAN_MS,
      () => 'The request is no longer in the pool: the answer is read from the cache.',
    );
  }

  private async release(
    isReleased: (waiter: Known) => boolean,
    messageTo: (waiter: Known) => string,
  ): Promise<void> {
    await forEachLimited([...this.known.values()].filter(isReleased), AT_ONCE, async (waiter) => {
      await this.server.fail(waiter, postponement('AwaitsBatch', messageTo(waiter), 1));
      await this.drop(waiter.name);
    });
  }

  /** Sends the heartbeats that are due, and drops the waiters that are cancelled or gone. */
  async beat(): Promise<void> {
    const now = Date.now();
    const due = [...this.known.values()].filter(
      ({ name, since, heartbeatSeconds }) =>
        now - (this.lastBeats.get(name) ?? since) >= (heartbeatSeconds * 1000) / BEATS,
    );
    await forEachLimited(due, AT_ONCE, async (waiter) => {
      this.lastBeats.set(waiter.name, now - spread(waiter.name));
      if (!(await this.server.beat(waiter))) await this.drop(waiter.name);
    });
  }

  /**
   * Returns the shortest wait and the smallest batch size that the waiters of these requests ask
   * for; undefined if there are none.
   */
  triggerFor(waiting: readonly ListedRecord[]): BatchTrigger | undefined {
    const ids = new Set(waiting.map(({ id }) => id));
    const asking = [...this.known.values()].filter(({ name }) => ids.has(requestIdOf(name)));
    if (asking.length === 0) return undefined;
    return {
      waitSeconds: least(asking.map(({ waitSeconds }) => waitSeconds)),
      size: least(asking.map(({ size }) => size)),
    };
  }

  /** Returns the shortest wait of all waiters, in seconds; Infinity if there are none. */
  get shortestWait(): number {
    return least([...this.known.values()].map(({ waitSeconds }) => waitSeconds));
  }

  private async drop(waiter: string): Promise<void> {
    this.forget(waiter);
    await this.pool.waiters.drop(this.name, waiter);
  }

  private forget(waiter: string): void {
    this.known.delete(waiter);
    this.lastBeats.delete(waiter);
  }
}

/**
 * Returns the smallest number. Math.min alone fails on more numbers than a call takes arguments.
 */
function least(numbers: readonly number[]): number {
  return numbers.reduce((smallest, one) => Math.min(smallest, one), Infinity);
}

/**
 * Returns 0 to 7000 ms, derived from the name, so that the heartbeats of waiters that arrived
 * together are sent at different times.
 */
function spread(name: string): number {
  return (name.charCodeAt(name.length - 1) % 8) * 1000;
}
