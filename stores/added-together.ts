/** Adds to values in a store that others add to as well. */
import type { KeyValueStore } from './key-value-store.js';

/** An addition that was written: what was there before, and the sum of what this process added. */
export interface AdditionResult<A, B> {
  before: B;
  /** This addition, and those of the same write before it. */
  upTo: A;
}

interface Batch<A, B> {
  amount: A | undefined;
  before: Promise<B>;
}

/**
 * Returns a function that adds to a key. Additions of this process that come while one is written
 * are written together: if each write waits for the disk, many at once take as long as two.
 *
 * @param write Adds an amount, and returns what was there before.
 * @param sum Joins two amounts.
 */
export function batchedAdd<A, B>(
  write: (key: string, amount: A) => Promise<B>,
  sum: (a: A, b: A) => A,
): (key: string, amount: A) => Promise<AdditionResult<A, B>> {
  const writing = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Batch<A, B>>();

  /** Begins a batch, which takes additions until what is written before it is over. */
  function begin(key: string): Batch<A, B> {
    const last = writing.get(key) ?? Promise.resolve();
    const next = () => {
      waiting.delete(key);
      return write(key, batch.amount as A);
    };
    const batch: Batch<A, B> = { amount: undefined, before: last.then(next, next) };
    const forget = () => writing.get(key) === batch.before && writing.delete(key);
    batch.before.then(forget, forget);
    writing.set(key, batch.before);
    waiting.set(key, batch);
    return batch;
  }

  return async (key, amount) => {
    const batch = waiting.get(key) ?? begin(key);
    const upTo = batch.amount === undefined ? amount : sum(batch.amount, amount);
    batch.amount = upTo;
    return { before: await batch.before, upTo };
  };
}

/**
 * Writes what `next` makes of a value, whoever else does the same.
 *
 * @param next Returns the text to write; the same text writes nothing.
 * @returns the text that was there before.
 */
export async function updateAtomically(
  store: Pick<KeyValueStore, 'compareAndSet' | 'get' | 'setIfAbsent'>,
  key: string,
  next: (before: string | undefined) => string,
): Promise<string | undefined> {
  for (;;) {
    const before = await store.get(key);
    const after = next(before);
    const isWritten =
      after === before ||
      (before === undefined
        ? await store.setIfAbsent(key, after)
        : await store.compareAndSet(key, before, after));
    if (isWritten) return before;
  }
}
