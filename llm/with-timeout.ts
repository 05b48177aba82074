/** Limits the time of a call to a server. */

/** Error thrown if an answer was not complete in time. */
export class TimedOut extends Error {}

/**
 * Returns the result of a call, which gets a signal that fires after `ms` milliseconds or with the
 * caller's signal.
 *
 * Does not use `AbortSignal.any`: on Node 20 that keeps every signal made from a long-lived one.
 *
 * @throws TimedOut if the call failed after `ms` milliseconds; the reason of the caller's signal if
 * that had fired before the call; otherwise the call's own error.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, ms);
  signal.addEventListener('abort', forward, { once: true });
  try {
    return await call(controller.signal);
  } catch (error) {
    throw timedOut ? new TimedOut() : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}
