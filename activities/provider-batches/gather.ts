/** Watches a pool until a batch is due, and decides what goes into it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { eachOf } from '../../core/each-of.js';
import type { Gathered, GatherInput } from '../../workflows/activities/provider-batches.js';
import type { Batching, WaitingActivities } from '../runtime/ports.js';
import { comesBack } from '../runtime/retry-policy.js';
import { idOf, type Listed, type RequestPool, type Waiter } from './pool.js';
import { steadily } from './run-activity.js';
import { byPrefix, chosen, isDue, markOf, type Wish } from './when-due.js';

/** The state of the pool, as the activity's heartbeat reports it to observers. */
export interface PoolLevel {
  /** Requests that wait for a batch. */
  waiting: number;
  /**
   * When the oldest waiting request was written, in milliseconds since 1970; null if none waits.
   */
  since: number | null;
}

/** Polls of the pool in the shortest wait that a waiter asks for. */
const POLLS_PER_WAIT = 5;
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** Least pause after a poll, as a multiple of its duration: a full pool must not keep a worker busy. */
const PAUSE_PER_POLL = 4;

/**
 * How long a waiter may be without a request before it is released. The waiter is written first, so
 * it is without one for a moment.
 */
const ORPHAN_MS = 10_000;

/** Calls to the Temporal server and the store at a time. */
const AT_ONCE = 20;

/** Heartbeats sent for a waiter within its heartbeat timeout. */
const BEATS = 3;

/** A waiter as the watch keeps it in memory. */
type Known = Omit<Waiter, 'input' | 'call'> & {
  name: string;
  /** When this watch saw the waiter first, in milliseconds since 1970. */
  seenAt: number;
};

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
 * Waits until a batch is due. Returns the batch, or null once the pool has been empty for
 * `idleSeconds`.
 */
export function gather(
  input: GatherInput,
  batching: Batching,
  server: WaitingActivities,
): Promise<Gathered | null> {
  return steadily((signal, _, report) =>
    new PoolWatch(input, batching, server, report).due(signal),
  );
}

/** Polls a pool: releases and drops waiters, sends their heartbeats, and plans the next batch. */
class PoolWatch {
  private readonly waiters = new Map<string, Known>();
  private readonly beaten: Map<string, number>;
  private readonly pool: RequestPool;
  /** Request ids by number, of the batches that are not over. A plan never changes. */
  private readonly plans = new Map<number, string[]>();
  private usedAt = Date.now();

  constructor(
    private readonly input: GatherInput,
    private readonly batching: Batching,
    private readonly server: WaitingActivities,
    private readonly report: (level: PoolLevel) => void,
  ) {
    this.beaten = beatsOf(batching);
    this.pool = batching.pool;
  }

  /** Returns the next batch, or null once the pool has been empty for `idleSeconds`. */
  async due(signal: AbortSignal): Promise<Gathered | null> {
    const { pool, known, idleSeconds } = this.input;
    for (;;) {
      signal.throwIfAborted();
      const began = Date.now();
      const plans = await this.pool.planNumbers(pool);
      const forgotten = plans.find((number) => !known.includes(number));
      if (forgotten !== undefined) return this.gathered(forgotten);
      const inBatches = await this.inBatches(plans);
      // Requests are listed before waiters: a request is written after its first waiter.
      const requests = await this.pool.requests.list(pool);
      await this.readWaiters();
      await this.releaseOverdue(inBatches);
      await this.releaseOrphans(requests);
      await this.beat();
      const waiting = await this.waitingOf(requests, inBatches);
      const oldest = waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at));
      this.report({ waiting: waiting.length, since: oldest });
      const wish = this.wish(waiting);
      // A batch ended: the next watch is given what it revealed, such as refused parameters.
      const isOutdated = known.some((number) => !plans.includes(number));
      if (wish && !isOutdated && isDue(waiting, wish, Date.now())) {
        const planned = await this.plan(waiting, wish);
        if (planned) return planned;
      }
      if (requests.length > 0 || this.waiters.size > 0) this.usedAt = Date.now();
      else if (Date.now() - this.usedAt >= idleSeconds * 1000) return null;
      await sleep(this.pause(Date.now() - began), undefined, { signal });
    }
  }

  private async gathered(number: number): Promise<Gathered> {
    const planned = await this.pool.plans.get(this.input.pool, number);
    return {
      number,
      requests: planned?.ids.length ?? 0,
      bytes: planned?.bytes ?? 0,
      waitSeconds: Math.min(60, this.shortestWait()),
    };
  }

  private async inBatches(plans: readonly number[]): Promise<Set<string>> {
    const { pool } = this.input;
    for (const number of this.plans.keys()) if (!plans.includes(number)) this.plans.delete(number);
    for (const number of plans) {
      if (this.plans.has(number)) continue;
      const planned = await this.pool.plans.get(pool, number);
      this.plans.set(number, planned?.ids ?? []);
    }
    return new Set([...this.plans.values()].flat());
  }

  /** Reads new waiters, and forgets those that are gone. */
  private async readWaiters(): Promise<void> {
    const { pool } = this.input;
    const names = new Set((await this.pool.waiters.list(pool)).map(({ id }) => id));
    for (const name of this.waiters.keys()) if (!names.has(name)) this.forget(name);
    const fresh = [...names].filter((name) => !this.waiters.has(name));
    await eachOf(fresh, AT_ONCE, async (name) => {
      const waiter = await this.pool.waiters.get(pool, name);
      if (!waiter) return this.pool.waiters.drop(pool, name);
      // The input is read again when the answer is there: thousands of inputs would fill the
      // memory.
      const { input: _, call: __, ...known } = waiter;
      this.waiters.set(name, { ...known, name, seenAt: Date.now() });
    });
  }

  /** Sends the heartbeats that are due, and drops the waiters that are cancelled or gone. */
  private async beat(): Promise<void> {
    const now = Date.now();
    const due = [...this.waiters.values()].filter(
      ({ name, since, heartbeatSeconds }) =>
        now - (this.beaten.get(name) ?? since) >= (heartbeatSeconds * 1000) / BEATS,
    );
    await eachOf(due, AT_ONCE, async (waiter) => {
      this.beaten.set(waiter.name, now - spread(waiter.name));
      if (!(await this.server.beat(waiter))) await this.drop(waiter.name);
    });
  }

  /** Fails waiters that waited longer than their limit: their next attempt makes the call itself. */
  private releaseOverdue(inBatches: ReadonlySet<string>): Promise<void> {
    const now = Date.now();
    return this.release(
      ({ name, since, patienceSeconds }) =>
        now - since >= patienceSeconds * 1000 && !inBatches.has(idOf(name)),
      ({ patienceSeconds }) =>
        `No batch has answered within ${patienceSeconds} s: the call is made on its own.`,
    );
  }

  /** Fails waiters whose request was answered as they came: the cache has the response. */
  private releaseOrphans(requests: readonly Listed[]): Promise<void> {
    const asked = new Set(requests.map(({ id }) => id));
    return this.release(
      ({ name, seenAt }) => !asked.has(idOf(name)) && Date.now() - seenAt >= ORPHAN_MS,
      () => 'The request is no longer in the pool: the answer is read from the cache.',
    );
  }

  private async release(
    isReleased: (waiter: Known) => boolean,
    messageTo: (waiter: Known) => string,
  ): Promise<void> {
    await eachOf([...this.waiters.values()].filter(isReleased), AT_ONCE, async (waiter) => {
      await this.server.fail(waiter, comesBack('AwaitsBatch', messageTo(waiter), 1));
      await this.drop(waiter.name);
    });
  }

  private forget(name: string): void {
    this.waiters.delete(name);
    this.beaten.delete(name);
  }

  private async drop(name: string): Promise<void> {
    this.forget(name);
    await this.pool.waiters.drop(this.input.pool, name);
  }

  /** Returns the requests that wait for a batch; drops those that nobody waits for. */
  private async waitingOf(
    requests: readonly Listed[],
    inBatches: ReadonlySet<string>,
  ): Promise<Listed[]> {
    const wanted = new Set([...this.waiters.keys()].map(idOf));
    const free = requests.filter(({ id }) => !inBatches.has(id));
    const unwanted = free.filter(({ id }) => !wanted.has(id));
    await eachOf(unwanted, AT_ONCE, ({ id }) => this.pool.requests.drop(this.input.pool, id));
    return free.filter(({ id }) => wanted.has(id));
  }

  /** Returns the shortest wait and the smallest batch size asked for; undefined if nobody waits. */
  private wish(waiting: readonly Listed[]): Wish | undefined {
    const ids = new Set(waiting.map(({ id }) => id));
    const asking = [...this.waiters.values()].filter(({ name }) => ids.has(idOf(name)));
    if (asking.length === 0) return undefined;
    return {
      waitSeconds: least(asking.map(({ waitSeconds }) => waitSeconds)),
      size: least(asking.map(({ size }) => size)),
    };
  }

  /** Writes the plan of the next batch; undefined if it is empty or its number is already taken. */
  private async plan(waiting: readonly Listed[], wish: Wish): Promise<Gathered | undefined> {
    const { pool, next, known, mostTokens, without } = this.input;
    const { endpoint } = this.batching;
    const room = { tokens: mostTokens, isAlone: known.length === 0 };
    const ids = chosen(waiting, wish, endpoint.limits, room);
    const found = await Promise.all(ids.map((id) => this.pool.requests.get(pool, id)));
    const requests = byPrefix(found.filter((one) => one !== undefined));
    if (requests.length === 0) return undefined;
    const lines = requests.map(({ id, request }) => endpoint.line(id, request, without));
    const { workflowExecution } = Context.current().info;
    const planned = {
      mark: markOf(`${workflowExecution?.runId}/${next}`, lines),
      ids: requests.map(({ id }) => id),
      without,
      bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
      at: Date.now(),
    };
    if (!(await this.pool.plans.add(pool, next, planned))) return undefined;
    return this.gathered(next);
  }

  /**
   * Returns the pause before the next poll, in milliseconds.
   *
   * @param tookMs Duration of the last poll.
   */
  private pause(tookMs: number): number {
    const pause = (this.shortestWait() * 1000) / POLLS_PER_WAIT;
    const usual = Math.min(Math.max(pause, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    return Math.max(usual, PAUSE_PER_POLL * tookMs);
  }

  /** Returns the shortest wait of all waiters, in seconds; Infinity if there are none. */
  private shortestWait(): number {
    return least([...this.waiters.values()].map(({ waitSeconds }) => waitSeconds));
  }
}

/**
 * Returns the smallest number. Math.min alone fails on more numbers than a call takes arguments.
 */
function least(numbers: readonly number[]): number {
  return numbers.reduce((smallest, one) => Math.min(smallest, one), Infinity);
}

/**
 * Returns 0 to 7000 ms, derived from the name, so that waiters that came together beat at different
 * times.
 */
function spread(name: string): number {
  return (name.charCodeAt(name.length - 1) % 8) * 1000;
}
