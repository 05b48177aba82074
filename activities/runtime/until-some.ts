/** Polls inside an activity for something that sends no notification. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBounds } from '../../workflows/activities/calls.js';

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
