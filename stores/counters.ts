/** Atomic counters in a store that several processes share. */
import { batchedAdd, updateAtomically } from './added-together.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * Counters by key, shared by several processes. A count restarts at 0 when as many seconds have
 * passed as were given when it began.
 */
export interface Counters {
  /**
   * Adds to the count of a key atomically, and returns the new total.
   *
   * @param amount A whole number; a negative one subtracts.
   * @param seconds Time until the count restarts at 0; it applies if this addition begins the
   * count.
   */
  add(key: string, amount: number, seconds: number): Promise<number>;
}

/** Prefix of the keys of counts. */
const PREFIX = 'count:';
/** Additions of this process after which it deletes expired counts. */
const SWEEP_AFTER = 2_000;

interface Count {
  total: number;
  /** Time at which the count restarts at 0, in milliseconds since 1970. */
  expiresAt: number;
}

interface Addition {
  amount: number;
  seconds: number;
}

/**
 * Returns `Counters` that are stored in a key-value store. Concurrent additions of this process to
 * one key are combined into one write. Every 2,000 additions it deletes expired counts.
 */
export function storeCounters(store: KeyValueStore): Counters {
  const write = (key: string, addition: Addition) => added(store, PREFIX + key, addition);
  const add = batchedAdd<Addition, number>(write, (a, b) => {
    return { amount: a.amount + b.amount, seconds: a.seconds };
  });
  let additions = 0;
  return {
    async add(key, amount, seconds) {
      if (++additions % SWEEP_AFTER === 0) sweep(store).catch(() => {});
      const { before, upTo } = await add(key, { amount, seconds });
      return before + upTo.amount;
    },
  };
}

/** Adds atomically and returns the total before. */
async function added(
  store: KeyValueStore,
  key: string,
  { amount, seconds }: Addition,
): Promise<number> {
  let before = 0;
  await updateAtomically(store, key, (text) => {
    const now = Date.now();
    const kept = text === undefined ? undefined : (JSON.parse(text) as Count);
    const isOver = kept === undefined || kept.expiresAt <= now;
    before = isOver ? 0 : kept.total;
    const expiresAt = isOver ? now + seconds * 1000 : kept.expiresAt;
    return JSON.stringify({ total: before + amount, expiresAt } satisfies Count);
  });
  return before;
}

/** Deletes expired counts; an addition to one of them at the same time may be lost. */
async function sweep(store: KeyValueStore): Promise<void> {
  for await (const { key } of store.list(PREFIX)) {
    const text = await store.get(key);
    if (text === undefined) continue;
    if ((JSON.parse(text) as Count).expiresAt <= Date.now()) await store.delete(key);
  }
}
