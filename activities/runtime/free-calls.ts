/** Runs calls that cost nothing: searches, lookups and waits, whose server may be away for long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES, Failure, type FailureType } from '../../core/failure.js';
import type { CallBounds } from '../../workflows/activities/calls.js';

/**
 * Least number of attempts of activities that cost nothing. They take about twelve minutes, in
 * which a killed server can start again.
 */
export const FREE_ATTEMPTS = 30;

/**
 * Timeout and retry limits of activities that cost nothing. Their retries outlast a store that is
 * away for some minutes.
 */
export const FREE_BOUNDS: CallBounds = {
  timeoutSeconds: 6 * 3600,
  attempts: FREE_ATTEMPTS,
  refusals: 1,
};

/**
 * The retryable Failure that is thrown if the search engine or the passage store does not answer.
 * No model provider was asked yet.
 */
export class SearchUnavailable extends Failure {}

/**
 * Runs a search or a read of passages, and returns its result.
 *
 * @throws SearchUnavailable, with the type of the original failure, if the server does not answer;
 * other errors unchanged.
 */
export async function runSearch<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof Failure) || !error.retryable || !isAway(error.type)) throw error;
    const { type, message, retryAfterMs } = error;
    throw new SearchUnavailable(type, message, { retryAfterMs, cause: error });
  }
}

/** Returns whether a failure means that the server does not answer: waiting helps, nothing is refused. */
function isAway(type: FailureType): boolean {
  const { healedBy, seenAs } = FAILURES[type];
  return healedBy === 'wait' && seenAs === undefined;
}

/**
 * Timeout and retry limits of an activity that waits for hours: six hours for an attempt, 1,000
 * attempts.
 */
export const LONG_BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 1000, refusals: 1 };

/** Least pause after a poll, as a multiple of the poll's duration. */
const PAUSE_PER_POLL = 4;

/**
 * Calls `poll` until its array is not empty, and returns that array.
 *
 * @param pauseMs Least pause between two calls, in milliseconds.
 * @throws An AbortError if the signal fires during a pause; the errors of `poll`.
 */
export async function pollUntilFound<T>(
  pauseMs: number,
  signal: AbortSignal,
  poll: () => Promise<T[]>,
): Promise<T[]> {
  for (;;) {
    const began = Date.now();
    const found = await poll();
    if (found.length > 0) return found;
    await sleep(Math.max(pauseMs, PAUSE_PER_POLL * (Date.now() - began)), undefined, { signal });
  }
}
