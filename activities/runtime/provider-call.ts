import { CompleteAsyncError, Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CancelledFailure,
} from '@temporalio/common';
import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { FAILURES, Failure, type FailureTraits, messageOf } from '../../core/failure.js';
import { addEstimated, type Estimated } from '../../core/usage.js';
import type { Timed } from '../../steps/call.js';
import { DiskFull } from '../../stores/full-disk.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import { comesBack } from './application-failure.js';
import type { Unkept, UnkeptValues } from './keep.js';
import { cancellationOf } from './outlasting.js';
import { FREE_ATTEMPTS, SearchAway } from './searching.js';
import { NotYet, type Waited } from './turn.js';

/** What a failure is counted as. */
type Kind = NonNullable<FailureTraits['bound']> | 'failures' | 'searches';

interface Count {
  times: number;
  /** When the first of them occurred, in milliseconds since 1970. */
  since: number;
}

/** Troubles of a call so far; heartbeats carry them from attempt to attempt. */
interface Troubles {
  counts: Partial<Record<Kind, Count>>;
  waited: Waited;
  /** Response that was paid for and may not be in the store. */
  unkept?: Unkept | undefined;
  unkeptValues?: UnkeptValues | undefined;
  /** Estimated cost of attempts without an answer. */
  estimated?: Estimated | undefined;
}

/** What earlier attempts of a call left to this one, and ways to leave something to the next. */
export interface CallSoFar
  extends Pick<Troubles, 'waited' | 'unkept' | 'unkeptValues' | 'estimated'> {
  /** Hands what was paid for to the next attempt, on whichever worker. */
  carry(left: Pick<Troubles, 'unkept' | 'unkeptValues'>): void;
  /** Adds the estimated cost of this attempt, which got no answer. */
  spend(estimated: Estimated | undefined): void;
  /** Tenant that the call is made for; undefined if there is none. */
  tenant: string | undefined;
  /** Fires when the call has used up its time. */
  timeout: AbortSignal;
  /** Waits for something else, without using up the time of the call. */
  untimed<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Longest time of refusals for lack of room at the flex tier: as long as a batch may take. */
const ROOM_PATIENCE_SECONDS = 24 * 3600;
const LONGEST_ROOM_WAIT_MS = 5 * 60_000;

const HEARTBEAT_MS = 1000;

/** Waits between attempts if the provider names none: doubling, up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Runs `call` with heartbeats, so that a killed worker is noticed and a cancelled question aborts
 * `signal` within seconds.
 *
 * A Failure becomes an ApplicationFailure of the same type. It is not retried if a retry cannot
 * help or the bounds are used up. Some troubles do not use up the attempts: refusals for rate have
 * a bound of their own; refusals for lack of room at the flex tier go on for a day; an absent
 * provider or search engine (see `searching`) and an unwritable store are waited for; waiting for
 * our own limit of tokens is not counted.
 */
export async function providerCall<T>(
  given: CallBounds,
  call: (signal: AbortSignal, soFar: CallSoFar) => Promise<T>,
): Promise<T> {
  const bounds = { ...CALL_DEFAULTS, ...given };
  const context = Context.current();
  const cancellation = cancellationOf(context);
  const { waited, ...others } = troublesSoFar(context.info.heartbeatDetails);
  // A place in the queue of tokens is for one call: whoever takes over from a dead worker needs
  // another.
  let before: Troubles = { ...others, waited: { times: waited.times } };
  // A local activity has no heartbeats: it is part of a task that has its own.
  const send = (troubles: Troubles) =>
    context.info.isLocal ? undefined : context.heartbeat(troubles);
  const leave = (left: Pick<Troubles, 'unkept' | 'unkeptValues' | 'estimated'>) => {
    before = { ...before, ...left };
    send(before);
  };
  const carrying = {
    carry: leave,
    spend: (more: Estimated | undefined) => {
      if (more) leave({ estimated: addEstimated(before.estimated, more) });
    },
  };
  // Each beat is a write on the server, and most calls are over before the first one is due.
  if (context.info.heartbeatDetails !== undefined) send(before);
  const beat = setInterval(() => send(before), HEARTBEAT_MS);
  // AbortSignal.timeout would keep every ended call in memory until its timer fires.
  const timeout = new AbortController();
  const begin = () => setTimeout(() => timeout.abort(), bounds.timeoutSeconds * 1000);
  let timer = begin();
  const untimed: CallSoFar['untimed'] = async (wait) => {
    clearTimeout(timer);
    try {
      return await wait(cancellation);
    } finally {
      timer = begin();
    }
  };
  try {
    const signal = AbortSignal.any([cancellation, timeout.signal]);
    const { unkept, unkeptValues, estimated } = before;
    const left = { waited, unkept, unkeptValues, estimated };
    const { tenant } = given;
    return await call(signal, { ...left, ...carrying, tenant, timeout: timeout.signal, untimed });
  } catch (error) {
    if (cancellation.aborted) throw cancelled(cancellation, before);
    // The answer comes from outside; until then the activity takes up no slot.
    if (error instanceof CompleteAsyncError) throw error;
    const failure = timeout.signal.aborted ? timedOut(bounds.timeoutSeconds, error) : named(error);
    const troubles = add(before, failure);
    clearInterval(beat);
    // The SDK sends the last heartbeat of a failed attempt before the failure itself.
    send(troubles);
    throw toApplicationFailure(failure, troubles, bounds);
  } finally {
    clearInterval(beat);
    clearTimeout(timer);
  }
}

/** Returns a value, and when this attempt ran, in milliseconds by the clock of its worker. */
export async function timed<T>(work: () => Promise<T>): Promise<Required<Timed<T>>> {
  const from = Date.now();
  const value = await work();
  return { value, ran: { from, ms: Math.max(0, Date.now() - from) } };
}

/**
 * Returns the error of a cancelled call, with its estimated cost for a workflow that waits for it.
 */
function cancelled({ reason }: AbortSignal, { estimated }: Troubles): unknown {
  if (!estimated) return reason;
  const message = messageOf(reason);
  return new CancelledFailure(message, [{ estimated }]);
}

function timedOut(seconds: number, cause: unknown): Failure {
  // The store took that long, or the failure already says that it timed out.
  const isExplained =
    cause instanceof Failure && (cause.type === 'StoreUnwritable' || !cause.retryable);
  if (isExplained) return cause;
  const message = `No answer within ${seconds} s (limits.callTimeoutSeconds).`;
  return new Failure('Timeout', message, { cause });
}

function named(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = messageOf(error);
  return new Failure('Unexpected', message, { cause: error });
}

function troublesSoFar(details: unknown): Troubles {
  return { counts: {}, waited: { times: 0 }, ...(details as Partial<Troubles> | undefined) };
}

function add(before: Troubles, failure: Failure): Troubles {
  if (failure instanceof NotYet) return { ...before, waited: failure.waited };
  if (failure.type === 'ParameterRefused') return before;
  const kind = kindOf(failure);
  const { times, since } = before.counts[kind] ?? { times: 0, since: Date.now() };
  return { ...before, counts: { ...before.counts, [kind]: { times: times + 1, since } } };
}

function kindOf(failure: Failure): Kind {
  return failure instanceof SearchAway ? 'searches' : (FAILURES[failure.type].bound ?? 'failures');
}

function toApplicationFailure(
  failure: Failure,
  troubles: Troubles,
  bounds: Bounds,
): ApplicationFailure {
  if (failure instanceof NotYet) {
    // No jitter: the delay was computed for this call.
    return comesBack(failure.type, failure.message, failure.retryAfterMs ?? 1);
  }
  const givenUp = givenUpAfter(troubles, bounds);
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message + givenUp,
    nonRetryable: !failure.retryable || givenUp !== '',
    nextRetryDelay: withJitter(waitAfter(failure, troubles)),
    // The store logs it once: a warning for each attempt of each call would bury that.
    ...(isOfDisk(failure) && { category: ApplicationFailureCategory.BENIGN }),
    ...(troubles.estimated && { details: [{ estimated: troubles.estimated }] }),
  });
}

function isOfDisk(failure: Failure): boolean {
  return failure instanceof DiskFull || failure.cause instanceof DiskFull;
}

/** By kind of trouble: its name in the message of giving up, and the test for giving up. */
const TOO_MUCH: Record<Kind, [called: string, is: (c: Count, bounds: Bounds) => boolean]> = {
  outages: ['failed attempts', (c, b) => c.times >= b.attempts && lasts(c, b.outageSeconds)],
  failures: ['failed attempts', ({ times }, { attempts }) => times >= attempts],
  refusals: ['refusals', ({ times }, { refusals }) => times >= refusals],
  crowded: ['refusals for lack of room', (c) => c.times > 1 && lasts(c, ROOM_PATIENCE_SECONDS)],
  // The first may have written for as long as a call may take.
  stores: ['attempts to write it', (c, b) => c.times > 1 && lasts(c, b.outageSeconds)],
  searches: ['failed searches', ({ times }, b) => times >= Math.max(b.attempts, FREE_ATTEMPTS)],
};

type Bounds = Required<Omit<CallBounds, 'tenant'>>;

function lasts({ since }: Count, seconds: number): boolean {
  return Date.now() - since >= seconds * 1000;
}

/** Returns the end of the message; empty if another attempt is to follow. */
function givenUpAfter({ counts }: Troubles, bounds: Bounds): string {
  for (const [kind, [called, is]] of Object.entries(TOO_MUCH)) {
    const count = counts[kind as Kind];
    if (count && is(count, bounds)) return ` Given up after ${count.times} ${called}.`;
  }
  return '';
}

/**
 * Returns the wait before the next attempt, in milliseconds: the provider's, or the backoff if it
 * named none, or one so short that repeated refusals would use up all attempts.
 */
function waitAfter(failure: Failure, { counts }: Troubles): number {
  const { type, retryAfterMs } = failure;
  const kind = kindOf(failure);
  const longest = kind === 'crowded' ? LONGEST_ROOM_WAIT_MS : LONGEST_WAIT_MS;
  const usual = backoff(counts[kind]?.times ?? 0, longest);
  if (retryAfterMs === undefined) return usual;
  // The next attempt is a different request, without the refused parameter.
  const isTrusted = type === 'ParameterRefused' || kind === 'searches';
  return isTrusted || retryAfterMs >= FIRST_WAIT_MS ? retryAfterMs : Math.max(retryAfterMs, usual);
}

/**
 * Returns the backoff in milliseconds. It counts one kind of trouble; the server would count all
 * together.
 */
function backoff(times: number, longest: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (times - 1), longest);
}

/**
 * Adds up to a tenth, so that callers refused together do not return together. Never returns 0,
 * which the server takes for "no more attempts".
 */
function withJitter(ms: number): number {
  return Math.ceil(Math.max(ms, 1) * (1 + Math.random() / 10));
}
