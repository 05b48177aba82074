/**
 * Decides whether and when a failed call is tried again. Troubles are counted by kind over all
 * attempts of a call, so that those of one kind do not use up the attempts of another.
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FAILURES, Failure, type FailureTraits } from '../../core/failure.js';
import type { EstimatedUsage } from '../../core/usage.js';
import type { Reservation } from '../../llm/rates/token-limiter.js';
import { DiskFull } from '../../stores/full-disk.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { FailureDetail } from '../../workflows/activities/question.js';
import { FREE_ATTEMPTS, SearchAway } from './free-calls.js';

/**
 * How often a call has waited for its turn under the limit of tokens a minute, and the place that
 * is reserved for it. JSON-safe.
 */
export interface Waited {
  times: number;
  /** Its reserved place; undefined if it has none yet. */
  place?: Reservation;
}

/** Thrown by a call that returns later. Neither a failure nor a refusal; it is not counted. */
export class NotYet extends Failure {
  readonly waited: Waited;

  constructor(
    type: 'AwaitsTokens' | 'AwaitsAnswer',
    why: string,
    waited: Waited,
    retryAfterMs: number,
  ) {
    super(type, `Comes back in ${(retryAfterMs / 1000).toFixed(1)} s: ${why}.`, { retryAfterMs });
    this.waited = waited;
  }
}

/** What a failure is counted as. */
type TroubleKind = NonNullable<FailureTraits['bound']> | 'failures' | 'searches';

interface Count {
  times: number;
  /** When the first of them occurred, in milliseconds since 1970. */
  since: number;
}

/** Troubles of a call so far. JSON-safe. */
export type TroubleCounts = Partial<Record<TroubleKind, Count>>;

/** Bounds of a call, with their defaults. */
export type Bounds = Required<Omit<CallBounds, 'tenant'>>;

interface Policy {
  /** Plural name for the message of giving up. */
  plural: string;
  /** Tells whether the call is given up. */
  isOver(count: Count, bounds: Bounds): boolean;
}

/** Longest time of refusals for lack of room at the flex tier: as long as a batch may take. */
const ROOM_PATIENCE_SECONDS = 24 * 3600;

const POLICIES: Record<TroubleKind, Policy> = {
  /** The provider is away or overloaded. */
  outages: {
    plural: 'failed attempts',
    isOver: (count, { attempts, outageSeconds }) =>
      count.times >= attempts && lasts(count, outageSeconds),
  },
  failures: {
    plural: 'failed attempts',
    isOver: ({ times }, { attempts }) => times >= attempts,
  },
  /** Refusals for rate. */
  refusals: {
    plural: 'refusals',
    isOver: ({ times }, { refusals }) => times >= refusals,
  },
  /** Refusals for lack of room at the flex tier. */
  crowded: {
    plural: 'refusals for lack of room',
    isOver: (count) => count.times > 1 && lasts(count, ROOM_PATIENCE_SECONDS),
  },
  /** The store cannot be written. The first attempt may have written for as long as a call takes. */
  stores: {
    plural: 'attempts to write it',
    isOver: (count, { outageSeconds }) => count.times > 1 && lasts(count, outageSeconds),
  },
  /** The search engine or the passage store is away. */
  searches: {
    plural: 'failed searches',
    isOver: ({ times }, { attempts }) => times >= Math.max(attempts, FREE_ATTEMPTS),
  },
};

function lasts({ since }: Count, seconds: number): boolean {
  return Date.now() - since >= seconds * 1000;
}

function kindOf(failure: Failure): TroubleKind {
  return failure instanceof SearchAway ? 'searches' : (FAILURES[failure.type].bound ?? 'failures');
}

/** Returns the counts with a failure added. A refused parameter does not count: the next attempt leaves it out. */
export function counted(counts: TroubleCounts, failure: Failure): TroubleCounts {
  if (failure.type === 'ParameterRefused') return counts;
  const kind = kindOf(failure);
  const { times, since } = counts[kind] ?? { times: 0, since: Date.now() };
  return { ...counts, [kind]: { times: times + 1, since } };
}

/**
 * Returns the failure of an attempt in the form that the Temporal server takes. It is retried, after
 * a delay, unless a retry cannot help or the bounds are used up.
 *
 * @param counts Troubles of the call, with this one.
 * @param estimated Estimated cost of its attempts without an answer.
 */
export function attemptFailure(
  failure: Failure,
  counts: TroubleCounts,
  bounds: Bounds,
  estimated: EstimatedUsage | undefined,
): ApplicationFailure {
  if (failure instanceof NotYet) {
    // No jitter: the delay was computed for this call.
    return comesBack(failure.type, failure.message, failure.retryAfterMs ?? 1);
  }
  const givenUp = givenUpAfter(counts, bounds);
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message + givenUp,
    nonRetryable: !failure.retryable || givenUp !== '',
    nextRetryDelay: withJitter(waitAfter(failure, counts)),
    // The store logs it once: a warning for each attempt of each call would bury that.
    ...(isOfDisk(failure) && { category: ApplicationFailureCategory.BENIGN }),
    ...(estimated && { details: [{ estimated }] }),
  });
}

/** Returns the end of the message; empty if another attempt is to follow. */
function givenUpAfter(counts: TroubleCounts, bounds: Bounds): string {
  for (const [kind, { plural, isOver }] of Object.entries(POLICIES)) {
    const count = counts[kind as TroubleKind];
    if (count && isOver(count, bounds)) return ` Given up after ${count.times} ${plural}.`;
  }
  return '';
}

function isOfDisk(failure: Failure): boolean {
  return failure instanceof DiskFull || failure.cause instanceof DiskFull;
}

/** Waits between attempts if the provider names none, in milliseconds: doubling, up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_ROOM_WAIT_MS = 5 * 60_000;

/**
 * Returns the wait before the next attempt, in milliseconds: the provider's, or the backoff if it
 * named none, or one so short that repeated refusals would use up all attempts.
 */
function waitAfter(failure: Failure, counts: TroubleCounts): number {
  const { type, retryAfterMs } = failure;
  const kind = kindOf(failure);
  const longest = kind === 'crowded' ? LONGEST_ROOM_WAIT_MS : LONGEST_WAIT_MS;
  // It counts one kind of trouble; the server would count all together.
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** ((counts[kind]?.times ?? 0) - 1), longest);
  if (retryAfterMs === undefined) return backoff;
  // The next attempt is a different request, without the refused parameter.
  const isTrusted = type === 'ParameterRefused' || kind === 'searches';
  return isTrusted || retryAfterMs >= FIRST_WAIT_MS
    ? retryAfterMs
    : Math.max(retryAfterMs, backoff);
}

/**
 * Adds up to a tenth, so that callers refused together do not return together. Never returns 0,
 * which the server takes for "no more attempts".
 */
function withJitter(ms: number): number {
  return Math.ceil(Math.max(ms, 1) * (1 + Math.random() / 10));
}

/** Returns a failure in the form that the Temporal server takes. */
export function applicationFailure(
  { type, message, retryable, retryAfterMs }: Failure,
  detail?: FailureDetail,
) {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: !retryable,
    ...(detail && { details: [detail] }),
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, retryAfterMs) }),
  });
}

/**
 * Returns a failure that only postpones the activity. It is benign, so no log warns of it and no
 * failure is counted.
 */
export function comesBack(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
