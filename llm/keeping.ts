/** How vectors and scores that were paid for get into their store. */
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { TokenUsage } from './language-model.js';

/** What is to be kept, by key. */
export type Values = Readonly<Record<string, string>>;

/** What it took. */
export interface Paid {
  usage: TokenUsage;
  /** US dollars; null when the price table does not know the model. */
  costUsd: number | null;
}

/** Keeps values; resolves when they survive a crash. */
export type Keeping = (values: Values, paid: Paid) => Promise<void>;

/** Writes all values. @throws what the store throws. */
export async function storeValues(store: KeyValueStore, values: Values): Promise<void> {
  await Promise.all(Object.entries(values).map(([key, value]) => store.set(key, value)));
}
