import { z } from 'zod';
import { returned } from '../core/returned.js';
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

const text = z.string().optional();
const entry: z.ZodType<StoredEntry> = z.object({
  key: z.string(),
  writtenAt: z.number(),
  bytes: z.number(),
});

/**
 * The same store; what it returns is what the port says, or a Failure Incompatible that names the
 * method: null in place of undefined would count as a damaged value, a word as a yes.
 */
export function checkedStore(store: KeyValueStore): KeyValueStore {
  const told = (method: string, value: boolean) =>
    returned(`KeyValueStore.${method}`, z.boolean(), value);
  return {
    get: async (key) => returned('KeyValueStore.get', text, await store.get(key)),
    set: (key, value) => store.set(key, value),
    setIfAbsent: async (key, value) => told('setIfAbsent', await store.setIfAbsent(key, value)),
    compareAndSet: async (key, before, value) =>
      told('compareAndSet', await store.compareAndSet(key, before, value)),
    delete: (key) => store.delete(key),
    async *list(prefix) {
      for await (const one of store.list(prefix)) yield returned('KeyValueStore.list', entry, one);
    },
    close: () => store.close(),
  };
}
