/** Waits inside an activity for what nobody tells it of: it looks again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBounds } from '../../workflows/activities/calls.js';

/** How long it may be waited for. */
export const LONG_BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 1000, refusals: 1 };

/** The pause is longer where a look takes long: so many times as long as the look. */
const SHARE = 4;

/** Returns what a look finds, once it finds something. */
export async function untilSome<T>(
  pauseMs: number,
  signal: AbortSignal,
  look: () => Promise<T[]>,
): Promise<T[]> {
  for (;;) {
    const began = Date.now();
    const found = await look();
    if (found.length > 0) return found;
    await sleep(Math.max(pauseMs, SHARE * (Date.now() - began)), undefined, { signal });
  }
}
