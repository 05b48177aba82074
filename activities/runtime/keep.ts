/** Stores responses that were paid for, although the store may be unwritable for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure.js';
import { unwritable, type Values } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { CacheEntry } from '../../llm/response-cache.js';

/** A response that was paid for and may not be in the store yet. JSON-safe. */
export interface Unkept {
  key: string;
  entry: CacheEntry;
}

/** Vectors or scores that were paid for and may not be in the store yet, by key. JSON-safe. */
export interface UnkeptValues {
  values: Values;
  paid: Paid;
}

/** Pause between two attempts to write. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Writes a response that was paid for; repeats a failed write for as long as the attempt may live.
 *
 * @param carry Hands the response to the activity's next attempt, on whichever worker.
 * @throws Failure StoreUnwritable if the signal fires first; Incompatible at once.
 */
export async function keep<T>(
  write: () => Promise<T>,
  carry: () => void,
  signal: AbortSignal,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      // A store that violates its interface would do so again.
      if (error instanceof Failure && error.type === 'Incompatible') throw error;
      carry();
      await sleep(wait, undefined, { signal }).catch(() => {
        throw unwritable('A response that was paid for cannot be kept', error);
      });
    }
  }
}
