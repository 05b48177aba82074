/** A key-value store in memory, for tests and for data that need not survive the process. */
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

interface Kept {
  value: string;
  writtenAt: number;
}

/** A key-value store in the memory of the process. */
export class MemoryStore implements KeyValueStore {
  readonly #kept = new Map<string, Kept>();

  async get(key: string): Promise<string | undefined> {
    return this.#kept.get(key)?.value;
  }

  async set(key: string, value: string): Promise<void> {
    this.#write(key, value);
  }

  async setIfAbsent(key: string, value: string): Promise<boolean> {
    if (this.#kept.has(key)) return false;
    this.#write(key, value);
    return true;
  }

  async compareAndSet(key: string, before: string, value: string): Promise<boolean> {
    if (this.#kept.get(key)?.value !== before) return false;
    this.#write(key, value);
    return true;
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async *list(prefix: string): AsyncGenerator<StoredEntry> {
    for (const [key, { value, writtenAt }] of [...this.#kept]) {
      if (key.startsWith(prefix)) yield { key, writtenAt, bytes: Buffer.byteLength(value) };
    }
  }

  async close(): Promise<void> {}

  #write(key: string, value: string): void {
    this.#kept.set(key, { value, writtenAt: Date.now() });
  }
}
