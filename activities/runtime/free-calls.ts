/** Calls that cost nothing: searches, lookups and waits, whose server may be away for long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES, Failure, type FailureType } from '../../core/failure.js';
import type { CallBounds } from '../../workflows/activities/calls.js';

/**
 * Least number of attempts of work that costs nothing: about twelve minutes, in which a killed
 * server is back with its data. A paid call has as many attempts as its question allows.
 */
export const FREE_ATTEMPTS = 30;

/** Bounds long enough to outlast a store that is away. */
export const FREE_BOUNDS: CallBounds = {
  timeoutSeconds: 6 * 3600,
  attempts: FREE_ATTEMPTS,
  refusals: 1,
};

/** The search engine or the passage store is away. No provider was asked yet. */
export class SearchAway extends Failure {}

/**
 * Runs a search or reads passages.
 *
 * @throws SearchAway with the same type, instead of a failure that means that the server is away.
 */
export async function searching<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof Failure) || !error.retryable || !isAway(error.type)) throw error;
    const { type, message, retryAfterMs } = error;
    throw new SearchAway(type, message, { retryAfterMs, cause: error });
  }
}

/** Tells whether waiting heals the failure, and the server did not answer with a refusal. */
function isAway(type: FailureType): boolean {
  const { healedBy, seenAs } = FAILURES[type];
  return healedBy === 'wait' && seenAs === undefined;
}

/** Bounds of a long wait. */
export const LONG_BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 1000, refusals: 1 };

/** Least pause after a poll, as a multiple of the poll's duration. */
const PAUSE_PER_POLL = 4;

/** Polls until a result is not empty, and returns it. */
export async function untilSome<T>(
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
