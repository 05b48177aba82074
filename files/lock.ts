/** Locks shared by the processes of one machine, and work that ends together. */
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { errorCodeOf } from '../core/failure.js';

/** Age at which a lock counts as abandoned; its holder renews it every third of this. */
const STALE_MS = 10_000;
const RETRY_MS = 250;

/**
 * Runs a function while holding the lock file `<path>.lock`, and returns its result. If another
 * process holds the lock, calls `onWait` once and waits until it is released, or has not been
 * renewed for 10 seconds.
 *
 * @throws The reason of the signal if it fires while waiting.
 */
export async function withLock<T>(
  path: string,
  options: { signal?: AbortSignal | undefined; onWait(): void },
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquire(path, options);
  try {
    return await work();
  } finally {
    // It may have been taken over while this machine slept; the work is done anyway.
    await release().catch(() => {});
  }
}

async function acquire(
  path: string,
  { signal, onWait }: { signal?: AbortSignal | undefined; onWait(): void },
): Promise<() => Promise<void>> {
  let hasReported = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await lockfile.lock(path, {
        realpath: false, // The path itself need not exist yet.
        stale: STALE_MS,
        update: STALE_MS / 3,
        // Losing the lock is harmless, because the locked work ends with an atomic rename.
        onCompromised: () => {},
      });
    } catch (error) {
      if (errorCodeOf(error) !== 'ELOCKED') throw error;
    }
    if (!hasReported) onWait();
    hasReported = true;
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Runs several functions at once, and returns their results in the same order. If one fails, the
 * signal of the others is aborted, and the first error is thrown once all have ended.
 *
 * @param outer Signal that aborts all of them.
 */
export async function allOrAbort<T extends readonly unknown[]>(
  outer: AbortSignal | undefined,
  works: { readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
): Promise<T> {
  const failed = new AbortController();
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const running = works.map((work) =>
    work(signal).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  try {
    return (await Promise.all(running)) as unknown as T;
  } finally {
    await Promise.allSettled(running);
  }
}
