import type { KeyValueStore } from './key-value-store.js';
import { MemoryStore } from './memory-store.js';

/**
 * Returns a store that reads from another store but keeps all changes in memory, so that the other
 * store stays unchanged. Closing it closes the other store.
 */
export function unwrittenStore(store: KeyValueStore): KeyValueStore {
  const written = new MemoryStore();
  const deleted = new Set<string>();
  const get = async (key: string) =>
    (await written.get(key)) ?? (deleted.has(key) ? undefined : store.get(key));
  return {
    get,
    set: (key, value) => written.set(key, value),
    async setIfAbsent(key, value) {
      return (await get(key)) === undefined && written.setIfAbsent(key, value);
    },
    async compareAndSet(key, before, value) {
      const there = await get(key);
      // Of several concurrent calls, one finds the original value.
      if (there !== undefined) await written.setIfAbsent(key, there);
      return written.compareAndSet(key, before, value);
    },
    async delete(key) {
      deleted.add(key);
      await written.delete(key);
    },
    async *list(prefix) {
      const keys = new Set<string>();
      for await (const entry of written.list(prefix)) {
        keys.add(entry.key);
        yield entry;
      }
      for await (const entry of store.list(prefix)) {
        if (!keys.has(entry.key) && !deleted.has(entry.key)) yield entry;
      }
    },
    close: () => store.close(),
  };
}
