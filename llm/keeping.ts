/** Asks a provider and stores what was paid for before it is used. */
import { Failure, messageOf } from '../core/failure.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Paid } from './language-model.js';
import { isLocalProvider } from './openai/endpoint.js';

/** Texts to store, by their key in the store. */
export type ValuesByKey = Readonly<Record<string, string>>;

/**
 * Callbacks around a paid request: before it is made, to store its result, and after its failure.
 */
export interface PaidCallHooks {
  /** Stores values; resolves once they survive a crash. */
  keep(values: ValuesByKey, paid: Paid): Promise<void>;
  /** Called with the texts of a request before it is made; an error that it throws prevents it. */
  before?(texts: readonly string[]): Promise<void>;
  /** Called with the texts of a failed request and its error. */
  failed?(texts: readonly string[], error: unknown): void;
}

/** Writes all values, in parallel and in no particular order. @throws Errors of the store. */
export async function storeValues(store: KeyValueStore, values: ValuesByKey): Promise<void> {
  await Promise.all(Object.entries(values).map(([key, value]) => store.set(key, value)));
}

/**
 * Writes a test value to the store under the key "probe", to make sure that results can be stored
 * before any is paid for.
 *
 * @throws Failure StoreUnwritable if the write fails.
 */
export async function checkWritable(store: KeyValueStore): Promise<void> {
  await writeBeforePaying(store.set('probe', 'written'));
}

/**
 * Makes a request to a provider, stores its answer and then returns it.
 *
 * @param asked The texts of the request, which the hooks get.
 * @param ask Makes the request.
 * @param valuesOf Returns the values to store for an answer.
 * @param hooks Callbacks around the request. Without them, the values are written to `store` once.
 * @throws Failure StoreUnwritable if the store cannot be written, before anything is paid. This is
 * not checked for a model on this machine, which costs nothing.
 */
export async function askAndStore<A extends Paid>(
  { provider, store }: { provider: string; store: KeyValueStore },
  asked: readonly string[],
  ask: () => Promise<A>,
  valuesOf: (answer: A) => ValuesByKey,
  hooks: PaidCallHooks = { keep: (values) => storeValues(store, values) },
): Promise<A> {
  if (!isLocalProvider(provider)) await checkWritable(store);
  await hooks.before?.(asked);
  const answer = await ask().catch((error: unknown) => {
    hooks.failed?.(asked, error);
    throw error;
  });
  const { usage, costUsd, isStated } = answer;
  await hooks.keep(valuesOf(answer), { usage, costUsd, isStated });
  return answer;
}

/**
 * Returns the result of a write that must succeed before anything is paid.
 *
 * @throws Failure StoreUnwritable if the write fails.
 */
export async function writeBeforePaying<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    throw unwritableFailure('No response could be stored, so none is paid for', cause);
  }
}

/**
 * Returns the failure for a failed write: StoreUnwritable, with the cause appended to `message`. If
 * the store violates its interface, returns that Incompatible failure, which is not retryable.
 */
export function unwritableFailure(message: string, cause: unknown): Failure {
  if (cause instanceof Failure && cause.type === 'Incompatible') return cause;
  const reason = messageOf(cause);
  return new Failure('StoreUnwritable', `${message}: ${reason}`, { cause });
}
