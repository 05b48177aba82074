import { setTimeout as sleep } from 'node:timers/promises';
import type { Estimated } from '../../core/usage.js';
import type { CacheEntry, Claimant, Found, ResponseCache } from '../../llm/response-cache.js';
import type { ResponseLease } from '../../llm/response-lease.js';
import type { CallSoFar } from './provider-call.js';
import { NotYet } from './turn.js';

/** Between two looks at whether the one who pays has an answer. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/** How long an attempt waits. The server gives an attempt half a minute more than its call. */
const PATIENCE_MS = 20_000;

export interface Unanswered {
  lease: ResponseLease;
  /** What calls may have cost that are repeated by this one, since their workers died. */
  takenOver: Estimated | undefined;
}

/**
 * Looks for a kept answer. Where another call is paying for it, this one waits, and takes over if
 * the other ends without an answer or dies.
 *
 * @param loss What is lost if this call gets to pay and its worker dies.
 * @throws NotYet when the other takes long, what the store throws when it cannot be read, Failure
 *   StoreUnwritable when it cannot be written, and the cancellation.
 */
export async function answerOrLease(
  key: string,
  claimant: Claimant,
  loss: Estimated,
  responses: ResponseCache,
  { waited, untimed }: Pick<CallSoFar, 'waited' | 'untimed'>,
): Promise<CacheEntry | Unanswered> {
  for (;;) {
    let found = await responses.find(key, claimant);
    if (!found.entry && found.isLeased) {
      const look = () => responses.find(key, claimant);
      found = await untimed((signal) => ended(look, waited, signal));
    }
    if (found.entry) return found.entry;
    const lease = await responses.lease(key, found, claimant, loss);
    if (lease) return { lease, takenOver: found.loss };
  }
}

/** Returns what is there when nobody pays any longer. */
async function ended(
  look: () => Promise<Found>,
  waited: CallSoFar['waited'],
  signal: AbortSignal,
): Promise<Found> {
  const until = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait, undefined, { signal });
    const found = await look();
    if (found.entry || !found.isLeased) return found;
    if (Date.now() < until) continue;
    throw new NotYet('AwaitsAnswer', 'another call is paying for the answer', waited, 1);
  }
}
