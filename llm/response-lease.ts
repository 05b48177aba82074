/** The lease of the activity that pays for a response, renewed meanwhile. */
import type { KeyValueStore } from '../stores/key-value-store.js';
import { type Leased, parseKept } from './cache-entry.js';

/**
 * How long a lease outlives its holder. At each renewal three quarters are left, by which the
 * clocks of workers may differ.
 */
export const LEASE_MS = 8000;
const RENEWALS = 4;

/** The lease is under the key itself, so that the answer ends it: one operation more a call. */
export type ResponseLease = ReturnType<typeof held>;

/**
 * Takes the lease where the key still holds what was seen there.
 *
 * @returns undefined where somebody was faster.
 */
export async function takeLease(
  store: KeyValueStore,
  key: string,
  { text, loss, before }: { text: string | undefined } & Pick<Leased, 'before' | 'loss'>,
  holder: string,
  ms: number,
): Promise<ResponseLease | undefined> {
  // In the order of its schema: what is read again is compared as text.
  const leased: Leased = {
    lease: { holder, expiresAt: Date.now() + ms },
    ...(loss && { loss }),
    ...(before && { before }),
  };
  const taken = JSON.stringify(leased);
  const isTaken =
    text === undefined
      ? await store.setIfAbsent(key, taken)
      : await store.compareAndSet(key, text, taken);
  return isTaken ? held(store, key, leased, ms) : undefined;
}

/** @param leased The value in the store, as the holder knows it. */
function held(store: KeyValueStore, key: string, leased: Leased, ms: number) {
  let known = leased;
  let isOver = false;
  /** Renewals and their end, one after the other. */
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // A store that is away is tried again at the next renewal.
    last = last.then(renew).catch(() => {});
  }, ms / RENEWALS);

  async function renew(): Promise<void> {
    if (isOver) return;
    const longer = { ...known, lease: { ...known.lease, expiresAt: Date.now() + ms } };
    if (await store.compareAndSet(key, JSON.stringify(known), JSON.stringify(longer))) {
      known = longer;
      return;
    }
    // An earlier renewal may have succeeded though the store failed; else it is lost.
    const { leased: there } = parseKept(await store.get(key));
    if (there?.lease.holder === known.lease.holder) known = there;
    else stop();
  }

  /** Lets it expire. */
  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }

  return {
    stop,
    /**
     * Answers in place of the lease, which is renewed until `write` has succeeded.
     *
     * @param write Is given what the holder last left under the key.
     */
    async end<T>(write: (expected: string) => Promise<T>): Promise<T> {
      const writing = last.then(() => write(JSON.stringify(known)));
      last = writing.then(stop, () => {});
      return writing;
    },
    /** Gives it back without an answer, for the next holder. */
    async release(): Promise<void> {
      stop();
      await last;
      const { lease, before } = known;
      // A key cannot be deleted on condition.
      const free: Leased = { lease: { ...lease, expiresAt: 0 } };
      const after = JSON.stringify(before ?? free);
      // Where the store is away, it expires.
      await store.compareAndSet(key, JSON.stringify(known), after).catch(() => {});
    },
  };
}
