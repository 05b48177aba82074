/** Stores results that were paid for. */
import { Failure, messageOf } from '../core/failure.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Paid } from './language-model.js';
import { isLocalProvider } from './openai/endpoint.js';

/** Values to store, by key. */
export type Values = Readonly<Record<string, string>>;

/** How results that were paid for are stored, and what is told of requests without a result. */
export interface Keeping {
  /** Stores values; resolves once they survive a crash. */
  keep(values: Values, paid: Paid): Promise<void>;
  /** Called with the texts of a request before it is made; what it throws stops the request. */
  before?(texts: readonly string[]): Promise<void>;
  /** Called with the texts of a request without a result. */
  failed?(texts: readonly string[], error: unknown): void;
}

/** Writes all values. @throws Errors of the store. */
export async function storeValues(store: KeyValueStore, values: Values): Promise<void> {
  await Promise.all(Object.entries(values).map(([key, value]) => store.set(key, value)));
}

/**
 * Makes sure that results can be stored, before any is paid for.
 *
 * @throws Failure StoreUnwritable.
 */
export async function probe(store: KeyValueStore): Promise<void> {
  await beforePaying(store.set('probe', 'written'));
}

/**
 * Asks a provider and stores its answer before it is used.
 *
 * @param asked The texts of the request.
 * @param valuesOf Returns the values of an answer to store.
 * @throws Failure StoreUnwritable if the store cannot be written, before anything is paid. Not for
 * a model on this machine, which costs nothing.
 */
export async function paidOnce<A extends Paid>(
  { provider, store }: { provider: string; store: KeyValueStore },
  asked: readonly string[],
  ask: () => Promise<A>,
  valuesOf: (answer: A) => Values,
  keeping: Keeping = { keep: (values) => storeValues(store, values) },
): Promise<A> {
  if (!isLocalProvider(provider)) await probe(store);
  await keeping.before?.(asked);
  const answer = await ask().catch((error: unknown) => {
    keeping.failed?.(asked, error);
    throw error;
  });
  const { usage, costUsd, isStated } = answer;
  await keeping.keep(valuesOf(answer), { usage, costUsd, isStated });
  return answer;
}

/** Waits for a write that must succeed before anything is paid. @throws Failure StoreUnwritable. */
export async function beforePaying<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    throw unwritable('No response could be kept, so none is paid for', cause);
  }
}

/** Returns the failure of a store. It is not retryable if the store violates its interface. */
export function unwritable(message: string, cause: unknown): Failure {
  if (cause instanceof Failure && cause.type === 'Incompatible') return cause;
  const reason = messageOf(cause);
  return new Failure('StoreUnwritable', `${message}: ${reason}`, { cause });
}
