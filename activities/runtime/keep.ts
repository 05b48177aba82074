/** Keeping what was paid for, though the store cannot be written for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheEntry } from '../../llm/response-cache.js';
import { Failure } from '../../methods/failure.js';

/** A response that was paid for and may not be in the store yet. JSON-safe. */
export interface Unkept {
  key: string;
  entry: CacheEntry;
}

/** Between two writes. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Keeps a response, and tries for as long as the attempt may live.
 *
 * @param write Writes it; gives the response that stands in the end.
 * @param carry Hands the response to the next attempt of the activity, on whichever worker.
 * @throws Failure StoreUnwritable when the signal fires first.
 */
export async function keep(
  unkept: Unkept,
  write: () => Promise<CacheEntry>,
  carry: (unkept: Unkept) => void,
  signal: AbortSignal,
): Promise<CacheEntry> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      carry(unkept);
      await sleep(wait, undefined, { signal }).catch(() => {
        throw unwritable(error);
      });
    }
  }
}

function unwritable(cause: unknown): Failure {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new Failure('StoreUnwritable', `A response that was paid for cannot be kept: ${said}`, {
    cause,
  });
}
