/**
 * An entry of a key-value store without its value: its key, the time of its last write, and the
 * size of the value in bytes.
 */
export interface StoredEntry {
  key: string;
  /**
   * Time of the last write, in milliseconds since 1970, by the clock of the store or of the writing
   * process.
   */
  writtenAt: number;
  /** Size of the value in UTF-8, in bytes. */
  bytes: number;
}

/**
 * A store of small texts by key, which several processes may share.
 *
 * Keys have up to 200 characters, values up to some megabytes. A value that one process has written
 * is visible to all others from then on. Each method is atomic: of several processes that change
 * the same key, one comes first, and the others see what it wrote. All methods throw Failure
 * Connection while the store cannot be reached; they do not wait for it.
 *
 * `keyValueStoreContract` of `durable-rag/testing` tests an implementation.
 */
export interface KeyValueStore {
  /** Returns the value of a key; undefined if there is none. The empty text is a value. */
  get(key: string): Promise<string | undefined>;
  /** Writes a value; resolves once it survives a crash of this process. */
  set(key: string, value: string): Promise<void>;
  /**
   * Writes if there is no value; returns whether it did. Of several concurrent calls, one writes.
   */
  setIfAbsent(key: string, value: string): Promise<boolean>;
  /**
   * Writes if the value is exactly `before`; returns whether it did, false if there is no value. Of
   * several concurrent calls with different values, one writes.
   */
  compareAndSet(key: string, before: string, value: string): Promise<boolean>;
  /** Deletes a value, if there is one. */
  delete(key: string): Promise<void>;
  /**
   * Returns the entries whose keys begin with the prefix, each once, in no particular order; all
   * entries for the empty prefix. Entries written or deleted in the meantime may be included or
   * not.
   */
  list(prefix: string): AsyncIterable<StoredEntry>;
  /** Closes this store. Stores of other namespaces at the same place stay open. */
  close(): Promise<void>;
}
