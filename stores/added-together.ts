/** Adds to values in a store that several processes change. */
import type { KeyValueStore } from './key-value-store.js';

/**
 * The result of one addition by `batchedAdd`, which combines several into one write. The value
 * right after this addition is the sum of `before` and `upTo`.
 */
export interface AdditionResult<A, B> {
  /** Value of the key before the combined write. */
  before: B;
  /** Sum of this addition and of the earlier ones in the same write. */
  upTo: A;
}

interface Batch<A, B> {
  amount: A | undefined;
  before: Promise<B>;
}

/**
 * Returns a function that adds an amount to the value of a key, and resolves once it is written:
 * with the value before the write (`before`), and the sum of this amount and of the earlier ones
 * in the same write (`upTo`). Additions that this process makes to a key during a write are
 * combined into the next one.
 *
 * @param write Adds an amount to the value of a key, and returns the value before.
 * @param sum Returns the sum of two amounts.
 */
export function batchedAdd<A, B>(
  write: (key: string, amount: A) => Promise<B>,
  sum: (a: A, b: A) => A,
): (key: string, amount: A) => Promise<AdditionResult<A, B>> {
  const writing = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Batch<A, B>>();

  /** Begins the next batch of a key. Additions can join it until the write before it has ended. */
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
 * Changes the value of a key atomically, and returns the value before; undefined if there was none.
 *
 * @param next Returns the new value for the current one; may be called again if another process has
 * changed it. An equal value is not written.
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
