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
import { FREE_ATTEMPTS, SearchUnavailable } from './free-calls.js';

/**
 * The waiting of a call so far for the limit of tokens per minute: the number of waits, and its
 * reservation. JSON-safe.
 */
export interface TokenWait {
  times: number;
  /** Reserved tokens; undefined if there is no reservation yet. */
  place?: Reservation;
}

/**
 * A Failure that is thrown to run an activity again later, after `retryAfterMs`. Counts neither as
 * a failure nor as a refusal.
 */
export class Postponed extends Failure {
  readonly waited: TokenWait;

  constructor(
    type: 'AwaitsTokens' | 'AwaitsAnswer',
    why: string,
    waited: TokenWait,
    retryAfterMs: number,
  ) {
    super(type, `Tries again in ${(retryAfterMs / 1000).toFixed(1)} s: ${why}.`, { retryAfterMs });
    this.waited = waited;
  }
}

/** The kind of trouble that a failure is counted as. */
type TroubleKind = NonNullable<FailureTraits['bound']> | 'failures' | 'searches';

interface Count {
  times: number;
  /** Time of the first one, in milliseconds since 1970. */
  since: number;
}

/**
 * Number of failures of a call over all its attempts, by kind, with the time of the first of each
 * kind. JSON-safe.
 */
export type TroubleCounts = Partial<Record<TroubleKind, Count>>;

/** Timeout and retry limits of a call, with defaults filled in. */
export type Bounds = Required<Omit<CallBounds, 'tenant'>>;

interface Policy {
  /** Plural name, for the message "Given up after ...". */
  plural: string;
  /** Returns whether the call is given up. */
  isOver(count: Count, bounds: Bounds): boolean;
}

/** Time for which refusals for lack of capacity at the flex tier are retried: that of a batch. */
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
  /** Refusals because of a rate limit. */
  refusals: {
    plural: 'refusals',
    isOver: ({ times }, { refusals }) => times >= refusals,
  },
  /** Refusals for lack of capacity at the flex tier. */
  crowded: {
    plural: 'refusals for lack of capacity',
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
  return failure instanceof SearchUnavailable
    ? 'searches'
    : (FAILURES[failure.type].bound ?? 'failures');
}

/**
 * Returns the counts with one failure added to those of its kind. A refused parameter does not
 * count.
 */
export function withTrouble(counts: TroubleCounts, failure: Failure): TroubleCounts {
  if (failure.type === 'ParameterRefused') return counts;
  const kind = kindOf(failure);
  const { times, since } = counts[kind] ?? { times: 0, since: Date.now() };
  return { ...counts, [kind]: { times: times + 1, since } };
}

/**
 * Returns the failure of an attempt as an ApplicationFailure. The server retries it after its
 * delay, unless a retry cannot help or the bounds are used up.
 *
 * @param counts Failures of the call by kind, this one included.
 * @param estimated Estimated usage, tokens and US dollars, of the call's attempts without an
 * answer, which the details of the failure report; undefined if there were none.
 */
export function attemptFailure(
  failure: Failure,
  counts: TroubleCounts,
  bounds: Bounds,
  estimated: EstimatedUsage | undefined,
): ApplicationFailure {
  if (failure instanceof Postponed) {
    // No jitter: the delay was computed for this call.
    return postponement(failure.type, failure.message, failure.retryAfterMs ?? 1);
  }
  const givenUp = givenUpAfter(counts, bounds);
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message + givenUp,
    nonRetryable: !failure.retryable || givenUp !== '',
    nextRetryDelay: withJitter(waitAfter(failure, counts)),
    // The store logs a full disk once: a warning for each attempt of each call would hide that.
    ...(isOfDisk(failure) && { category: ApplicationFailureCategory.BENIGN }),
    ...(estimated && { details: [{ estimated }] }),
  });
}

/** Returns the sentence "Given up after ..."; empty if another attempt will follow. */
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

/** Waits between attempts in milliseconds if the provider names none: doubled each time. */
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
  // Only troubles of this kind count; the server's own backoff would count all attempts.
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** ((counts[kind]?.times ?? 0) - 1), longest);
  if (retryAfterMs === undefined) return backoff;
  // The next attempt is a different request, without the refused parameter.
  const isTrusted = type === 'ParameterRefused' || kind === 'searches';
  return isTrusted || retryAfterMs >= FIRST_WAIT_MS
    ? retryAfterMs
    : Math.max(retryAfterMs, backoff);
}

/**
 * Returns a wait with up to a tenth added, so that calls refused together are not retried together.
 * Never returns 0, which the server would ignore.
 */
function withJitter(ms: number): number {
  return Math.ceil(Math.max(ms, 1) * (1 + Math.random() / 10));
}

/** Returns a Failure as an ApplicationFailure of the same type, message and retry settings. */
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
 * Returns an ApplicationFailure that only postpones the activity. It is benign: no log warns of it
 * and no metric counts it.
 *
 * @param nextRetryDelay Delay of the next attempt, in milliseconds.
 */
export function postponement(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
