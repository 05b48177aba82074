/** A store that lives as long as the process: for tests, and where nothing needs to survive. */
import type { KeyValueStore } from './key-value-store.js';

export class MemoryStore implements KeyValueStore {
  readonly #values = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    return this.#values.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
  }

  async close(): Promise<void> {}
}
