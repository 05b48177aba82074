import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../core/failure.js';

/** Maximum number of attempts, over a minute and a half in all, in which a server may restart. */
const ATTEMPTS = 8;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Shortest wait that is reported after the first failure, in milliseconds. */
const REPORTED_MS = 5_000;

/**
 * The options of `retryWithBackoff`: a signal that aborts it, and a callback before waits that a
 * person would notice.
 */
export interface RetryOptions {
  signal: AbortSignal;
  /**
   * Called before a wait that a person would notice: of five seconds or more, or after a second
   * failure.
   */
  onRetry?: ((failure: Failure, waitMs: number) => void) | undefined;
}

/**
 * Calls a function until it succeeds, at most eight times, with growing waits between attempts (or
 * those that a failure asks for), and returns its result.
 *
 * @throws The error of the call: at once unless it is a retryable Failure, otherwise after eight
 * attempts; the signal's reason if aborted.
 */
export async function retryWithBackoff<T>(
  call: () => Promise<T>,
  { signal, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Failure) || !error.retryable || attempt === ATTEMPTS) throw error;
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
      const delay = error.retryAfterMs ?? backoff;
      if (attempt > 1 || delay >= REPORTED_MS) onRetry?.(error, delay);
      await wait(delay, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
