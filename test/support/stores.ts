/** Stores in memory as tests open them, and look into them. */
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { keyValueRuns } from '../../stores/runs/key-value-runs.js';
import type { RunStore } from '../../stores/runs/run-store.js';

/** Opens the same store again under the same name. @param made What a new one is made to. */
export function byName<S>(
  made: (store: MemoryStore, name: string) => S,
): (name: string) => Promise<S> {
  const stores = new Map<string, S>();
  return async (name) => {
    const store = stores.get(name) ?? made(new MemoryStore(), name);
    stores.set(name, store);
    return store;
  };
}

export async function keysOf(store: KeyValueStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

export const memoryRuns = (): RunStore => keyValueRuns(new MemoryStore());
