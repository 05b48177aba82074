/** A place to keep small texts by key that several processes may share. */
export interface KeyValueStore {
  get(key: string): Promise<string | undefined>;
  /** Resolves once the value survives a crash of this process. */
  set(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}
