/** Runs a call in an activity: with heartbeats, a timeout, and the state left by earlier attempts. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { Failure, messageOf } from '../../core/failure.js';
import { addEstimated, type EstimatedUsage } from '../../core/usage.js';
import { unwritableFailure, type ValuesByKey } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { CacheEntry } from '../../llm/response-cache.js';
import type { TimedRow } from '../../steps/output-row.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import {
  attemptFailure,
  type Bounds,
  Postponed,
  type TokenWait,
  type TroubleCounts,
  withTrouble,
} from './retry-policy.js';

/**
 * Runs a call in an activity, and returns its result. Sends heartbeats, so that a killed worker is
 * noticed and a cancelled question aborts the attempt's `signal` within seconds.
 *
 * @throws ApplicationFailure of the same type as a thrown Failure, with the decision whether and
 * when the call is retried; see `attemptFailure`. CompleteAsyncError unchanged; once the activity
 * is cancelled, the cancellation.
 */
export async function providerCall<T>(
  given: CallBounds,
  call: (attempt: CallAttempt) => Promise<T>,
): Promise<T> {
  const attempt = new CallAttempt(Context.current(), given);
  try {
    return await call(attempt);
  } catch (error) {
    throw attempt.ended(error);
  } finally {
    attempt.stop();
  }
}

/**
 * Runs a function, and returns its result as `value`, and as `ran` a pair: its start in
 * milliseconds since 1970, and its duration in milliseconds.
 */
export async function timed<T>(work: () => Promise<T>): Promise<Required<TimedRow<T>>> {
  const from = Date.now();
  const value = await work();
  return { value, ran: [from, Math.max(0, Date.now() - from)] };
}

/** A response that was paid for and may not be in the store yet. JSON-safe. */
interface UnstoredResponse {
  key: string;
  entry: CacheEntry;
}

/**
 * Vectors or scores that were paid for and may not be in the store yet, as texts by key, and the
 * usage and cost of making them. JSON-safe.
 */
export interface UnstoredValues {
  values: ValuesByKey;
  paid: Paid;
}

/** The state that heartbeats carry from one attempt of a call to the next. JSON-safe. */
interface Carried {
  counts: TroubleCounts;
  waited: TokenWait;
  /** Response that was paid for and may not be in the store. */
  unkept?: UnstoredResponse | undefined;
  unkeptValues?: UnstoredValues | undefined;
  /** Estimated cost of attempts without an answer. */
  estimated?: EstimatedUsage | undefined;
}

const HEARTBEAT_MS = 1000;

/**
 * One attempt of a call in an activity. It begins when it is created, and sends heartbeats with
 * the state for the next attempt until it is stopped; its signals fire at the timeout and at a
 * cancellation.
 */
export class CallAttempt {
  /** State left by earlier attempts. */
  readonly left: Readonly<Omit<Carried, 'counts'>>;
  /** Tenant that the call is made for; undefined if there is none. */
  readonly tenant: string | undefined;
  /** Fires when the call has used up its time. */
  readonly timeout: AbortSignal;
  /** Fires when the call has used up its time or is cancelled. */
  readonly signal: AbortSignal;
  private readonly bounds: Bounds;
  private readonly cancellation: AbortSignal;
  /** Not AbortSignal.timeout: it would keep every ended call in memory until its timer fires. */
  private readonly time = new AbortController();
  private timer: NodeJS.Timeout;
  private readonly beat: NodeJS.Timeout;
  /** State for the next attempt, sent with each heartbeat. */
  private carried: Carried;

  constructor(
    private readonly context: Context,
    { tenant, ...bounds }: CallBounds,
  ) {
    this.tenant = tenant;
    this.bounds = { ...CALL_DEFAULTS, ...bounds };
    const details = context.info.heartbeatDetails as Partial<Carried> | undefined;
    const { counts = {}, waited = { times: 0 }, ...left } = details ?? {};
    this.left = { waited, ...left };
    // A reservation of tokens is for one call: an attempt that takes over from a dead worker needs
    // its own.
    this.carried = { counts, waited: { times: waited.times }, ...left };
    this.cancellation = cancellationOf(context);
    this.timeout = this.time.signal;
    this.signal = AbortSignal.any([this.cancellation, this.timeout]);
    // Each beat is a write on the server, and most calls are over before the first one is due.
    if (details !== undefined) this.send();
    this.beat = setInterval(() => this.send(), HEARTBEAT_MS);
    this.timer = this.startTime();
  }

  private startTime(): NodeJS.Timeout {
    return setTimeout(() => this.time.abort(), this.bounds.timeoutSeconds * 1000);
  }

  private send(): void {
    // A local activity has no heartbeats: it is part of a task that has its own.
    if (!this.context.info.isLocal) this.context.heartbeat(this.carried);
  }

  /** Waits without using up the time of the call; returns the result of the wait. */
  async untimed<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    clearTimeout(this.timer);
    try {
      return await wait(this.cancellation);
    } finally {
      this.timer = this.startTime();
    }
  }

  /** Leaves results that were paid for to the next attempt, which may run on another worker. */
  carry(unkept: Pick<Carried, 'unkept' | 'unkeptValues'>): void {
    this.carried = { ...this.carried, ...unkept };
    this.send();
  }

  /** Adds the estimated cost of this attempt, which got no answer. */
  addLoss(estimated: EstimatedUsage | undefined): void {
    if (!estimated) return;
    this.carried = { ...this.carried, estimated: addEstimated(this.carried.estimated, estimated) };
    this.send();
  }

  /** Returns the error to throw from the activity, and sends the counted troubles with a heartbeat. */
  ended(error: unknown): unknown {
    const { cancellation, carried, bounds } = this;
    if (cancellation.aborted) return cancelled(cancellation, carried);
    // The answer comes from outside; until then the activity takes up no slot.
    if (error instanceof CompleteAsyncError) return error;
    const failure = this.timeout.aborted
      ? timedOut(bounds.timeoutSeconds, error)
      : asFailure(error);
    this.carried =
      failure instanceof Postponed
        ? { ...carried, waited: failure.waited }
        : { ...carried, counts: withTrouble(carried.counts, failure) };
    clearInterval(this.beat);
    // The SDK sends the last heartbeat of a failed attempt before the failure itself.
    this.send();
    return attemptFailure(failure, this.carried.counts, bounds, carried.estimated);
  }

  /** Stops the heartbeats and the timeout. */
  stop(): void {
    clearInterval(this.beat);
    clearTimeout(this.timer);
  }
}

/**
 * Returns the error of a cancelled call, with its estimated cost for a workflow that waits for it.
 */
function cancelled({ reason }: AbortSignal, { estimated }: Carried): unknown {
  return estimated ? new CancelledFailure(messageOf(reason), [{ estimated }]) : reason;
}

function timedOut(seconds: number, cause: unknown): Failure {
  // The store took that long, or the failure already says that it timed out.
  const isExplained =
    cause instanceof Failure && (cause.type === 'StoreUnwritable' || !cause.retryable);
  if (isExplained) return cause;
  const message = `No answer within ${seconds} s (limits.callTimeoutSeconds).`;
  return new Failure('Timeout', message, { cause });
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('Unexpected', messageOf(error), { cause: error });
}

/** Pause between two attempts to write. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Writes a result that was paid for, and repeats a failed write until it succeeds or the signal
 * fires. Returns the result of `write`.
 *
 * @param carry Called after each failed write, to leave the result to the activity's next attempt.
 * @throws Failure StoreUnwritable if the signal fires first; Incompatible, without a retry, if the
 * store violates its interface.
 */
export async function writeUntilStored<T>(
  write: () => Promise<T>,
  carry: () => void,
  signal: AbortSignal,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      // A store that violates its interface would do so again.
      if (error instanceof Failure && error.type === 'Incompatible') throw error;
      carry();
      await sleep(wait, undefined, { signal }).catch(() => {
        throw unwritableFailure('A response that was paid for cannot be stored', error);
      });
    }
  }
}

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Returns the signal that cancels an activity. If the activity has a grace period and its worker
 * is told to stop, the signal fires at the end of that period; for any other reason at once.
 */
export function cancellationOf({ cancellationSignal }: Context): AbortSignal {
  return signals.getStore() ?? cancellationSignal;
}

/**
 * Runs an activity, and returns its result. Once its worker was told to stop, the activity may
 * continue for up to `graceMs` milliseconds; `cancellationOf` returns the signal that then fires.
 */
export async function runThroughGracePeriod<T>(
  graceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => ending.abort(cancellationSignal.reason);
  const cancelled = () => {
    if (context.cancellationDetails?.workerShutdown) timer = setTimeout(end, graceMs);
    else end();
  };
  if (cancellationSignal.aborted) cancelled();
  else cancellationSignal.addEventListener('abort', cancelled, { once: true });
  try {
    return await signals.run(ending.signal, work);
  } finally {
    clearTimeout(timer);
    cancellationSignal.removeEventListener('abort', cancelled);
  }
}
