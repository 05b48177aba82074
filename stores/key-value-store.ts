/** What is known of a kept value without reading it. */
export interface StoredEntry {
  key: string;
  /**
   * When it was last written, in milliseconds since 1970, by the clock of the store or of the
   * process that wrote it.
   */
  writtenAt: number;
  /** Length of the value in UTF-8. */
  bytes: number;
}

/**
 * A place to keep small texts by key that several processes may share.
 *
 * Keys have up to 200 characters, values up to some megabytes. What one process has written is read
 * by every other one from then on. Each method is one step for all who use the store at the same
 * time: of several that change the same key, one comes first, and the others meet what it wrote.
 * All of them throw Failure Connection while the store cannot be reached; they do not wait for it.
 *
 * `keyValueStoreContract` of `durable-rag/testing` holds an implementation against this.
 */
export interface KeyValueStore {
  /** Undefined where nothing is kept under the key; the empty text is a value. */
  get(key: string): Promise<string | undefined>;
  /** Resolves once the value survives a crash of this process. */
  set(key: string, value: string): Promise<void>;
  /** Writes where there is no value, and tells whether it did. Of several at once one does. */
  setIfAbsent(key: string, value: string): Promise<boolean>;
  /**
   * Writes where the value is exactly `before`, and tells whether it did; never where there is none.
   * Of several at once, each with a value of its own, one does.
   */
  compareAndSet(key: string, before: string, value: string): Promise<boolean>;
  /** Forgets a value; where there is none, nothing happens. */
  delete(key: string): Promise<void>;
  /**
   * The entries whose keys begin so, each once, in no order that can be relied on; all of them for
   * the empty prefix. What is written or deleted in the meantime may be among them or not.
   */
  list(prefix: string): AsyncIterable<StoredEntry>;
  /** Stores of other namespaces at the same place stay open. */
  close(): Promise<void>;
}
