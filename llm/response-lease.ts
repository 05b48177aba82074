/** The lease of the activity that pays for a response, renewed in the meantime. */
import type { KeyValueStore } from '../stores/key-value-store.js';
import { type LeasedEntry, parseStored } from './cache-entry.js';

/**
 * Duration of a lease in milliseconds, counted from its last renewal. A renewal comes after each
 * quarter of it, so the clocks of workers may differ by up to the other three.
 */
export const LEASE_MS = 8000;
/** Number of renewals in the duration of a lease. */
const RENEWALS = 4;

/**
 * The right to pay for a response, renewed until it is released or the response is stored. It is
 * kept under the response's key, so that storing the response replaces it.
 */
export type ResponseLease = ReturnType<typeof held>;

/**
 * Takes the lease of a response, if the key still has the value `text` that was read before, and
 * renews it until it ends.
 *
 * @param holder Identifies the activity and attempt that takes it.
 * @param ms Duration of the lease in milliseconds, counted from its last renewal.
 * @returns Undefined if another activity was faster.
 * @throws Errors of the store.
 */
export async function takeLease(
  store: KeyValueStore,
  key: string,
  { text, loss, before }: { text: string | undefined } & Pick<LeasedEntry, 'before' | 'loss'>,
  holder: string,
  ms: number,
): Promise<ResponseLease | undefined> {
  // The fields are in the order of the schema, since the value is compared as text.
  const leased: LeasedEntry = {
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

/** Returns a lease that was taken, and renews it. @param leased The value as it was stored. */
function held(store: KeyValueStore, key: string, leased: LeasedEntry, ms: number) {
  let known = leased;
  let isOver = false;
  /** The last renewal, so that renewals and the end run one after the other. */
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // If the store is away, the next renewal tries again.
    last = last.then(renew).catch(() => {});
  }, ms / RENEWALS);

  async function renew(): Promise<void> {
    if (isOver) return;
    const longer = { ...known, lease: { ...known.lease, expiresAt: Date.now() + ms } };
    if (await store.compareAndSet(key, JSON.stringify(known), JSON.stringify(longer))) {
      known = longer;
      return;
    }
    // An earlier renewal may have succeeded although the store failed; otherwise the lease is lost.
    const { leased: there } = parseStored(await store.get(key));
    if (there?.lease.holder === known.lease.holder) known = there;
    else stop();
  }

  /** Stops the renewals, so that the lease expires. */
  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }

  return {
    stop,
    /**
     * Stores a response in place of the lease, which is renewed until `write` has succeeded.
     *
     * @param write Gets the value that the holder last wrote.
     */
    async end<T>(write: (expected: string) => Promise<T>): Promise<T> {
      const writing = last.then(() => write(JSON.stringify(known)));
      last = writing.then(stop, () => {});
      return writing;
    },
    /** Releases the lease without a response, for the next holder. */
    async release(): Promise<void> {
      stop();
      await last;
      const { lease, before } = known;
      // A key cannot be deleted conditionally.
      const free: LeasedEntry = { lease: { ...lease, expiresAt: 0 } };
      const after = JSON.stringify(before ?? free);
      // If the store is away, the lease expires.
      await store.compareAndSet(key, JSON.stringify(known), after).catch(() => {});
    },
  };
}
