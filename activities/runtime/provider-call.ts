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

/** Under what a failure is counted. */
type Kind = NonNullable<FailureTraits['bound']> | 'failures' | 'searches';

interface Count {
  times: number;
  /** When the first of them was, in milliseconds since 1970. */
  since: number;
}

/** What has gone wrong with this call so far; travels from attempt to attempt in heartbeats. */
interface Troubles {
  counts: Partial<Record<Kind, Count>>;
  waited: Waited;
  /** Paid for, and not known to be in the store. */
  unkept?: Unkept | undefined;
  unkeptValues?: UnkeptValues | undefined;
  /** What attempts without an answer may have cost. */
  estimated?: Estimated | undefined;
}

/** What earlier attempts of a call have left to this one, and how it leaves something itself. */
export interface CallSoFar
  extends Pick<Troubles, 'waited' | 'unkept' | 'unkeptValues' | 'estimated'> {
  /** Leaves what was paid for to the next attempt, on whichever worker. */
  carry(left: Pick<Troubles, 'unkept' | 'unkeptValues'>): void;
  /** Counts what this attempt may have cost without an answer. */
  spend(estimated: Estimated | undefined): void;
  /** Fires when the call has taken as long as it may. */
  timeout: AbortSignal;
  /** Waits for somebody else, without using up the time that the call may take. */
  untimed<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** How long a call may be refused for lack of room at the flex tier: as long as a batch may take. */
const ROOM_PATIENCE_SECONDS = 24 * 3600;
const LONGEST_ROOM_WAIT_MS = 5 * 60_000;

const HEARTBEAT_MS = 1000;

/** The waits between attempts where the provider names none: doubling, up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Runs `call` with a heartbeat going, so that a killed worker is noticed and a cancelled question
 * aborts `signal` within seconds.
 *
 * A Failure becomes an ApplicationFailure of the same type: not retried where a retry cannot help
 * or the bounds are used up. Refusals for rate are counted apart, so that they do not use up the
 * attempts of real failures; those for lack of room at the flex tier go on for a day. So are a
 * provider or a search engine that is away (see `searching`), which costs nothing and is waited
 * for, and a store that cannot be written; waiting for our own limit of tokens is none of these.
 */
export async function providerCall<T>(
  given: CallBounds,
  call: (signal: AbortSignal, soFar: CallSoFar) => Promise<T>,
): Promise<T> {
  const bounds = { ...CALL_DEFAULTS, ...given };
  const context = Context.current();
  const cancellation = cancellationOf(context);
  const { waited, ...others } = troublesSoFar(context.info.heartbeatDetails);
  // A place is for one call: whoever takes over from a worker that died in it needs another.
  let before: Troubles = { ...others, waited: { times: waited.times } };
  // A local activity has no heartbeats: it is part of a task that has its own.
  const say = (said: Troubles) => (context.info.isLocal ? undefined : context.heartbeat(said));
  const leave = (left: Pick<Troubles, 'unkept' | 'unkeptValues' | 'estimated'>) => {
    before = { ...before, ...left };
    say(before);
  };
  const carrying = {
    carry: leave,
    spend: (more: Estimated | undefined) => {
      if (more) leave({ estimated: addEstimated(before.estimated, more) });
    },
  };
  // Each beat is a write on the server, and most calls are over before the first one is due.
  if (context.info.heartbeatDetails !== undefined) say(before);
  const beat = setInterval(() => say(before), HEARTBEAT_MS);
  // Not AbortSignal.timeout: its timer keeps every call that ended for as long as one may take.
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
    return await call(signal, { ...left, ...carrying, timeout: timeout.signal, untimed });
  } catch (error) {
    if (cancellation.aborted) throw cancelled(cancellation, before);
    // Its answer comes from outside, and until then it takes up no slot.
    if (error instanceof CompleteAsyncError) throw error;
    const failure = timeout.signal.aborted ? timedOut(bounds.timeoutSeconds, error) : named(error);
    const troubles = add(before, failure);
    clearInterval(beat);
    // The SDK sends the last heartbeat of a failed attempt before the failure itself.
    say(troubles);
    throw toApplicationFailure(failure, troubles, bounds);
  } finally {
    clearInterval(beat);
    clearTimeout(timer);
  }
}

/** Returns a value with when this attempt ran, by the clock of its worker. */
export async function timed<T>(work: () => Promise<T>): Promise<Required<Timed<T>>> {
  const from = Date.now();
  const value = await work();
  return { value, ran: { from, ms: Math.max(0, Date.now() - from) } };
}

/** With what the call may have cost, for a workflow that waits to be told. */
function cancelled({ reason }: AbortSignal, { estimated }: Troubles): unknown {
  if (!estimated) return reason;
  const message = messageOf(reason);
  return new CancelledFailure(message, [{ estimated }]);
}

function timedOut(seconds: number, cause: unknown): Failure {
  // It was the store that took so long, or the call says so itself.
  const isTold = cause instanceof Failure && (cause.type === 'StoreUnwritable' || !cause.retryable);
  if (isTold) return cause;
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
    // Without jitter: the time is the call's own already.
    return comesBack(failure.type, failure.message, failure.retryAfterMs ?? 1);
  }
  const givenUp = givenUpAfter(troubles, bounds);
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message + givenUp,
    nonRetryable: !failure.retryable || givenUp !== '',
    nextRetryDelay: withJitter(waitAfter(failure, troubles)),
    // Said once by the store: a warning for each attempt of each call would bury it.
    ...(isOfDisk(failure) && { category: ApplicationFailureCategory.BENIGN }),
    ...(troubles.estimated && { details: [{ estimated: troubles.estimated }] }),
  });
}

function isOfDisk(failure: Failure): boolean {
  return failure instanceof DiskFull || failure.cause instanceof DiskFull;
}

/** What of each kind is too much, and what it is called. */
const TOO_MUCH: Record<Kind, [called: string, is: (c: Count, bounds: Bounds) => boolean]> = {
  outages: ['failed attempts', (c, b) => c.times >= b.attempts && lasts(c, b.outageSeconds)],
  failures: ['failed attempts', ({ times }, { attempts }) => times >= attempts],
  refusals: ['refusals', ({ times }, { refusals }) => times >= refusals],
  crowded: ['refusals for lack of room', (c) => c.times > 1 && lasts(c, ROOM_PATIENCE_SECONDS)],
  // The first may have written for as long as a call may take.
  stores: ['attempts to write it', (c, b) => c.times > 1 && lasts(c, b.outageSeconds)],
  searches: ['failed searches', ({ times }, b) => times >= Math.max(b.attempts, FREE_ATTEMPTS)],
};

type Bounds = Required<CallBounds>;

function lasts({ since }: Count, seconds: number): boolean {
  return Date.now() - since >= seconds * 1000;
}

/** For the end of the message; empty where there is to be another attempt. */
function givenUpAfter({ counts }: Troubles, bounds: Bounds): string {
  for (const [kind, [called, is]] of Object.entries(TOO_MUCH)) {
    const count = counts[kind as Kind];
    if (count && is(count, bounds)) return ` Given up after ${count.times} ${called}.`;
  }
  return '';
}

/**
 * Returns what the provider asked for; and the backoff where it named no wait, or one so short that
 * being refused again and again would use up all refusals in no time.
 */
function waitAfter(failure: Failure, { counts }: Troubles): number {
  const { type, retryAfterMs } = failure;
  const kind = kindOf(failure);
  const longest = kind === 'crowded' ? LONGEST_ROOM_WAIT_MS : LONGEST_WAIT_MS;
  const usual = backoff(counts[kind]?.times ?? 0, longest);
  if (retryAfterMs === undefined) return usual;
  // The next attempt is another request, which leaves the parameter out.
  const isTrusted = type === 'ParameterRefused' || kind === 'searches';
  return isTrusted || retryAfterMs >= FIRST_WAIT_MS ? retryAfterMs : Math.max(retryAfterMs, usual);
}

/** Counted by what went wrong: the server would count all of it together. */
function backoff(times: number, longest: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (times - 1), longest);
}

/**
 * Up to a tenth more, so that callers refused together do not come back together. Never 0, which
 * the server takes for "no more attempts".
 */
function withJitter(ms: number): number {
  return Math.ceil(Math.max(ms, 1) * (1 + Math.random() / 10));
}
