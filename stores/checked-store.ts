import { z } from 'zod';
import { checkReturned } from '../core/returned.js';
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

const text = z.string().optional();
const entry: z.ZodType<StoredEntry> = z.object({
  key: z.string(),
  writtenAt: z.number(),
  bytes: z.number(),
});

/**
 * Returns a store that checks the values returned by a custom one. A value of the wrong type, such
 * as null instead of undefined, becomes a Failure Incompatible that names the method.
 */
export function checkedStore(store: KeyValueStore): KeyValueStore {
  const checked = (method: string, value: boolean) =>
    checkReturned(`KeyValueStore.${method}`, z.boolean(), value);
  return {
    get: async (key) => checkReturned('KeyValueStore.get', text, await store.get(key)),
    set: (key, value) => store.set(key, value),
    setIfAbsent: async (key, value) => checked('setIfAbsent', await store.setIfAbsent(key, value)),
    compareAndSet: async (key, before, value) =>
      checked('compareAndSet', await store.compareAndSet(key, before, value)),
    delete: (key) => store.delete(key),
    async *list(prefix) {
      for await (const one of store.list(prefix))
        yield checkReturned('KeyValueStore.list', entry, one);
    },
    close: () => store.close(),
  };
}
