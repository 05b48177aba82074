import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../core/failure.js';

/** A minute and a half in all: a restarted server is back by then. */
const ATTEMPTS = 8;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Shortest wait that is reported after a single failure. */
const REPORTED_MS = 5_000;

export interface Retrying {
  signal: AbortSignal;
  /** Called before a wait that a person would notice. */
  onRetry?: ((failure: Failure, waitMs: number) => void) | undefined;
}

/**
 * Repeats a call with growing waits until it succeeds or fails for good, and returns the result.
 *
 * @throws Failure of the call: at once if a retry cannot help, otherwise after eight attempts in a
 * row; the signal's reason if aborted.
 */
export async function retryWithBackoff<T>(
  call: () => Promise<T>,
  { signal, onRetry }: Retrying,
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
