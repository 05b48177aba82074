/** Watches a pool until a batch is due, and decides what goes into it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { forEachLimited } from '../../core/each-of.js';
import type { GatheredBatch, GatherInput } from '../../workflows/activities/provider-batches.js';
import type { Batching, WaitingActivities } from '../runtime/ports.js';
import type { ListedRecord, RequestPool } from './pool.js';
import { withHeartbeats } from './run-activity.js';
import { Waiters } from './waiters.js';
import { type BatchTrigger, byPrefix, chooseRequests, isDue, markOf } from './when-due.js';

/**
 * The number of requests that wait in a pool for a provider batch, and the time since which the
 * oldest waits, in milliseconds since 1970. The activity `gatherBatch` reports it with its
 * heartbeats.
 */
export interface PoolLevel {
  /** Number of requests that wait for a batch. */
  waiting: number;
  /**
   * Time at which the oldest waiting request was written, in milliseconds since 1970; null if none
   * waits.
   */
  since: number | null;
}

/**
 * Waits until enough requests of a pool are there for a batch, or have waited long enough, and
 * stores the plan of the batch. Returns the plan's `number` in its pool, its size in `requests`
 * and `bytes`, and the shortest wait that a caller asked for in seconds, at most 60
 * (`waitSeconds`); null if the pool has been empty for `idleSeconds`. Continues with the plan of
 * an earlier attempt if there is one.
 *
 * Meanwhile it sends the heartbeats of the activities that wait, fails those that have waited too
 * long, and deletes requests for which none waits.
 */
export function gatherBatch(
  input: GatherInput,
  batching: Batching,
  server: WaitingActivities,
): Promise<GatheredBatch | null> {
  const waiters = new Waiters(input.pool, batching, server);
  return withHeartbeats((signal, _, report) => dueBatch(input, batching, waiters, report, signal));
}

/**
 * Polls the pool until a batch is planned or the pool has stayed empty, and keeps the waiters
 * alive.
 */
async function dueBatch(
  input: GatherInput,
  batching: Batching,
  waiters: Waiters,
  report: (level: PoolLevel) => void,
  signal: AbortSignal,
): Promise<GatheredBatch | null> {
  const { pool: name, known, idleSeconds } = input;
  const { pool } = batching;
  const plannedIds = new PlannedIds(name, pool);
  let usedAt = Date.now();
  for (;;) {
    signal.throwIfAborted();
    const began = Date.now();
    const plans = await pool.planNumbers(name);
    // An earlier attempt planned it and was killed.
    const forgotten = plans.find((number) => !known.includes(number));
    if (forgotten !== undefined) return gathered(name, forgotten, pool, waiters);
    const inBatches = await plannedIds.of(plans);
    // Requests are listed before waiters: a request is written after its first waiter.
    const requests = await pool.requests.list(name);
    await waiters.read();
    await waiters.releaseOverdue(inBatches);
    await waiters.releaseOrphans(requests);
    await waiters.beat();
    const waiting = await waitingOf(requests, inBatches, waiters.wantedIds, { name, pool });
    report({ waiting: waiting.length, since: oldestOf(waiting) });
    const wish = waiters.triggerFor(waiting);
    // A batch has ended: the workflow calls again with what it revealed, such as refused parameters.
    const isOutdated = known.some((number) => !plans.includes(number));
    if (wish && !isOutdated && isDue(waiting, wish, Date.now())) {
      const isPlanned = await plan(input, waiting, wish, batching);
      if (isPlanned) return gathered(name, input.next, pool, waiters);
    }
    if (requests.length > 0 || !waiters.isEmpty) usedAt = Date.now();
    else if (Date.now() - usedAt >= idleSeconds * 1000) return null;
    await sleep(pause(waiters.shortestWait, Date.now() - began), undefined, { signal });
  }
}

/** The ids of planned requests. A plan never changes, so each is read once. */
class PlannedIds {
  private readonly plans = new Map<number, string[]>();

  constructor(
    private readonly name: string,
    private readonly pool: RequestPool,
  ) {}

  /** Returns the request ids of these plans. */
  async of(plans: readonly number[]): Promise<Set<string>> {
    for (const number of this.plans.keys()) if (!plans.includes(number)) this.plans.delete(number);
    for (const number of plans) {
      if (this.plans.has(number)) continue;
      const planned = await this.pool.plans.get(this.name, number);
      this.plans.set(number, planned?.ids ?? []);
    }
    return new Set([...this.plans.values()].flat());
  }
}

/** Maximum number of requests that are deleted at the same time. */
const AT_ONCE = 20;

/** Returns the requests that wait for a batch; deletes those that no activity waits for. */
async function waitingOf(
  requests: readonly ListedRecord[],
  inBatches: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  { name, pool }: { name: string; pool: RequestPool },
): Promise<ListedRecord[]> {
  const free = requests.filter(({ id }) => !inBatches.has(id));
  const unwanted = free.filter(({ id }) => !wanted.has(id));
  await forEachLimited(unwanted, AT_ONCE, ({ id }) => pool.requests.drop(name, id));
  return free.filter(({ id }) => wanted.has(id));
}

function oldestOf(waiting: readonly ListedRecord[]): number | null {
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at));
}

/** Writes the plan of the next batch; returns false if it is empty or its number is taken. */
async function plan(
  { pool: name, next, known, mostTokens, without }: GatherInput,
  waiting: readonly ListedRecord[],
  wish: BatchTrigger,
  { endpoint, pool }: Batching,
): Promise<boolean> {
  const room = { tokens: mostTokens, isAlone: known.length === 0 };
  const ids = chooseRequests(waiting, wish, endpoint.limits, room);
  const found = await Promise.all(ids.map((id) => pool.requests.get(name, id)));
  const requests = byPrefix(found.filter((one) => one !== undefined));
  if (requests.length === 0) return false;
  const lines = requests.map(({ id, request }) => endpoint.line(id, request, without));
  const { workflowExecution } = Context.current().info;
  return pool.plans.add(name, next, {
    mark: markOf(`${workflowExecution?.runId}/${next}`, lines),
    ids: requests.map(({ id }) => id),
    without,
    bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
    at: Date.now(),
  });
}

/** Returns the number and size of a planned batch, for the workflow of its collector. */
async function gathered(
  name: string,
  number: number,
  pool: RequestPool,
  { shortestWait }: Waiters,
): Promise<GatheredBatch> {
  const planned = await pool.plans.get(name, number);
  return {
    number,
    requests: planned?.ids.length ?? 0,
    bytes: planned?.bytes ?? 0,
    waitSeconds: Math.min(60, shortestWait),
  };
}

/** Number of polls of the pool within the shortest wait that a waiter asks for. */
const POLLS_PER_WAIT = 5;
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** Least pause after a poll, as a multiple of its duration: a full pool must not keep a worker busy. */
const PAUSE_PER_POLL = 4;

/**
 * Returns the pause before the next poll, in milliseconds.
 *
 * @param shortestWait In seconds.
 * @param tookMs Duration of the last poll.
 */
function pause(shortestWait: number, tookMs: number): number {
  const wanted = (shortestWait * 1000) / POLLS_PER_WAIT;
  const usual = Math.min(Math.max(wanted, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return Math.max(usual, PAUSE_PER_POLL * tookMs);
}
