/** Counters in a store that several processes share. */
import type { KeyValueStore } from './key-value-store.js';

export interface Counters {
  /**
   * Adds to a count atomically and returns the new total.
   *
   * @param amount A whole number; a negative one subtracts.
   * @param seconds How long a new count is kept.
   */
  add(key: string, amount: number, seconds: number): Promise<number>;
}

/** Prefix of the keys of counts. */
const PREFIX = 'count:';
/** Additions of this process after which it deletes expired counts. */
const SWEEP_AFTER = 2_000;

interface Count {
  total: number;
  /** When the count restarts at 0, in milliseconds since 1970. */
  expiresAt: number;
}

/** Additions of this process that are written together. */
interface Batch {
  amount: number;
  /** The total before them. */
  before: Promise<number>;
}

/**
 * Returns counters that combine additions: those of this process to one count that come during a
 * write are written together afterwards. In a folder, where each write waits for the disk, many
 * concurrent additions then take as long as two.
 */
export function storeCounters(store: KeyValueStore): Counters {
  const writing = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Batch>();
  let additions = 0;

  /** Begins a batch, which collects additions until the previous write is over. */
  function begin(key: string, seconds: number): Batch {
    const last = writing.get(key) ?? Promise.resolve();
    const write = () => {
      waiting.delete(key);
      return added(store, PREFIX + key, batch.amount, seconds);
    };
    const batch: Batch = { amount: 0, before: last.then(write, write) };
    const forget = () => writing.get(key) === batch.before && writing.delete(key);
    batch.before.then(forget, forget);
    writing.set(key, batch.before);
    waiting.set(key, batch);
    return batch;
  }

  return {
    async add(key, amount, seconds) {
      if (++additions % SWEEP_AFTER === 0) sweep(store).catch(() => {});
      const batch = waiting.get(key) ?? begin(key, seconds);
      batch.amount += amount;
      const upTo = batch.amount;
      return (await batch.before) + upTo;
    },
  };
}

/** Adds atomically and returns the total before. */
async function added(
  store: KeyValueStore,
  key: string,
  amount: number,
  seconds: number,
): Promise<number> {
  for (;;) {
    const text = await store.get(key);
    const now = Date.now();
    const kept = text === undefined ? undefined : (JSON.parse(text) as Count);
    const isOver = kept === undefined || kept.expiresAt <= now;
    const before = isOver ? 0 : kept.total;
    const count: Count = {
      total: before + amount,
      expiresAt: isOver ? now + seconds * 1000 : kept.expiresAt,
    };
    const next = JSON.stringify(count);
    const isWritten =
      next === text ||
      (text === undefined
        ? await store.setIfAbsent(key, next)
        : await store.compareAndSet(key, text, next));
    if (isWritten) return before;
  }
}

/** Deletes expired counts; an addition to one of them at the same time may be lost. */
async function sweep(store: KeyValueStore): Promise<void> {
  for await (const { key } of store.list(PREFIX)) {
    const text = await store.get(key);
    if (text === undefined) continue;
    if ((JSON.parse(text) as Count).expiresAt <= Date.now()) await store.delete(key);
  }
}
