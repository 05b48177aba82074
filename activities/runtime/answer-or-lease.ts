import { setTimeout as sleep } from 'node:timers/promises';
import type { Estimated } from '../../core/usage.js';
import type { CacheEntry, Claimant, Found, ResponseCache } from '../../llm/response-cache.js';
import type { ResponseLease } from '../../llm/response-lease.js';
import type { CallSoFar } from './provider-call.js';
import { NotYet } from './turn.js';

/** Pause between two lookups while another call pays for the answer. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/** Longest wait of an attempt. The server gives an attempt half a minute more than its call. */
const PATIENCE_MS = 20_000;

/** The lease of a call that has to ask the provider itself. */
export interface Unanswered {
  lease: ResponseLease;
  /**
   * Estimated cost of the calls that this one repeats because their workers died; undefined if
   * none.
   */
  takenOver: Estimated | undefined;
}

/**
 * Returns a stored answer, or a lease to pay for it. If another call is paying, this one waits, and
 * takes over if the other ends without an answer or dies.
 *
 * @param loss Estimated loss if this call pays and its worker dies.
 * @throws NotYet if the other call takes long; Failure StoreUnwritable if the store cannot be
 * written; errors of reading the store, and the cancellation.
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
      const find = () => responses.find(key, claimant);
      found = await untimed((signal) => unleased(find, waited, signal));
    }
    if (found.entry) return found.entry;
    const lease = await responses.lease(key, found, claimant, loss);
    if (lease) return { lease, takenOver: found.loss };
  }
}

/** Polls until the answer is stored or no other call is paying for it; returns the last lookup. */
async function unleased(
  find: () => Promise<Found>,
  waited: CallSoFar['waited'],
  signal: AbortSignal,
): Promise<Found> {
  const until = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait, undefined, { signal });
    const found = await find();
    if (found.entry || !found.isLeased) return found;
    if (Date.now() < until) continue;
    throw new NotYet('AwaitsAnswer', 'another call is paying for the answer', waited, 1);
  }
}
