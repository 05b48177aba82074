/** Making a provider call inside an activity: heartbeats, cancellation, and the right retries. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Failure } from '../methods/failure.js';

/** Bounds for one call. Attempts and refusals are counted over all of its attempts. */
export interface CallBounds {
  /** How long one attempt may take. */
  timeoutSeconds: number;
  /** How often the provider may fail. */
  attempts: number;
  /** How often it may refuse for rate. */
  refusals: number;
}

/** What has gone wrong with this call so far; travels from attempt to attempt in heartbeats. */
interface Troubles {
  failures: number;
  refusals: number;
}

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
 * attempts of real failures.
 */
export async function providerCall<T>(
  bounds: CallBounds,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const before = troublesSoFar(context.info.heartbeatDetails);
  // Each beat is a write on the server, and most calls are over before the first one is due.
  if (context.info.heartbeatDetails !== undefined) context.heartbeat(before);
  const beat = setInterval(() => context.heartbeat(before), HEARTBEAT_MS);
  // Not AbortSignal.timeout: its timer keeps every call that ended for as long as one may take.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), bounds.timeoutSeconds * 1000);
  try {
    return await call(AbortSignal.any([context.cancellationSignal, timeout.signal]));
  } catch (error) {
    context.cancellationSignal.throwIfAborted();
    const failure = timeout.signal.aborted ? timedOut(bounds.timeoutSeconds, error) : named(error);
    const troubles = add(before, failure);
    clearInterval(beat);
    // The SDK sends the last heartbeat of a failed attempt before the failure itself.
    context.heartbeat(troubles);
    throw toApplicationFailure(failure, troubles, bounds);
  } finally {
    clearInterval(beat);
    clearTimeout(timer);
  }
}

function timedOut(seconds: number, cause: unknown): Failure {
  const message = `No answer within ${seconds} s (limits.callTimeoutSeconds).`;
  return new Failure('Timeout', message, { cause });
}

function named(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('Unexpected', message, { cause: error });
}

function troublesSoFar(details: unknown): Troubles {
  return (details as Troubles | undefined) ?? { failures: 0, refusals: 0 };
}

function add({ failures, refusals }: Troubles, failure: Failure): Troubles {
  if (failure.type === 'ParameterRefused') return { failures, refusals };
  return failure.type === 'RateLimited'
    ? { failures, refusals: refusals + 1 }
    : { failures: failures + 1, refusals };
}

function toApplicationFailure(
  failure: Failure,
  { failures, refusals }: Troubles,
  bounds: CallBounds,
): ApplicationFailure {
  const givenUp =
    failures >= bounds.attempts
      ? ` Given up after ${failures} failed attempts.`
      : refusals >= bounds.refusals
        ? ` Given up after ${refusals} refusals.`
        : '';
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message + givenUp,
    nonRetryable: !failure.retryable || givenUp !== '',
    nextRetryDelay: withJitter(
      failure.retryAfterMs ?? backoff(failure.type === 'RateLimited' ? refusals : failures),
    ),
  });
}

/** Counted by what went wrong: the server would count refusals and failures together. */
function backoff(times: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (times - 1), LONGEST_WAIT_MS);
}

/**
 * Up to a tenth more, so that callers refused together do not come back together. Never 0, which
 * the server takes for "no more attempts".
 */
function withJitter(ms: number): number {
  return Math.ceil(Math.max(ms, 1) * (1 + Math.random() / 10));
}
