/** Keeps what was paid for. */
import { Failure, messageOf } from '../core/failure.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Paid } from './language-model.js';
import { isLocalProvider } from './openai/endpoint.js';

/** What is to be kept, by key. */
export type Values = Readonly<Record<string, string>>;

/** Keeps results, and hears of requests without one. */
export interface Keeping {
  /** Keeps values; resolves when they survive a crash. */
  keep(values: Values, paid: Paid): Promise<void>;
  /** Called for a request without a result, with its texts. */
  failed?(texts: readonly string[], error: unknown): void;
}

/** Writes all values. @throws what the store throws. */
export async function storeValues(store: KeyValueStore, values: Values): Promise<void> {
  await Promise.all(Object.entries(values).map(([key, value]) => store.set(key, value)));
}

/**
 * Makes sure that something can be kept, before it is paid for.
 *
 * @throws Failure StoreUnwritable.
 */
export async function probe(store: KeyValueStore): Promise<void> {
  await beforePaying(store.set('probe', 'written'));
}

/**
 * Asks a provider, and keeps what it answers before it is used.
 *
 * @param asked The texts that it is asked about.
 * @param valuesOf What of the answer is kept.
 * @throws Failure StoreUnwritable where nothing could be kept, before anything is paid; not of a
 *   model of this machine, which costs nothing.
 */
export async function paidOnce<A extends Paid>(
  { provider, store }: { provider: string; store: KeyValueStore },
  asked: readonly string[],
  ask: () => Promise<A>,
  valuesOf: (answer: A) => Values,
  keeping: Keeping = { keep: (values) => storeValues(store, values) },
): Promise<A> {
  if (!isLocalProvider(provider)) await probe(store);
  const answer = await ask().catch((error: unknown) => {
    keeping.failed?.(asked, error);
    throw error;
  });
  const { usage, costUsd, isStated } = answer;
  await keeping.keep(valuesOf(answer), { usage, costUsd, isStated });
  return answer;
}

/** Waits for a write that must end before anything is paid. @throws Failure StoreUnwritable. */
export async function beforePaying<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    throw unwritable('No response could be kept, so none is paid for', cause);
  }
}

/** Returns the failure of a store; waiting does not heal one that breaks its port. */
export function unwritable(message: string, cause: unknown): Failure {
  if (cause instanceof Failure && cause.type === 'Incompatible') return cause;
  const said = messageOf(cause);
  return new Failure('StoreUnwritable', `${message}: ${said}`, { cause });
}
