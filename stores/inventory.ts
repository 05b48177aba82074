/** Counts the entries of a store, and deletes old ones. */
import { forEachLimited } from '../core/each-of.js';
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

/**
 * The number of entries of a key-value store, their total size in bytes, and their earliest and
 * latest time of writing, in milliseconds since 1970.
 */
export interface Inventory {
  entries: number;
  /** Total size of the values, in bytes. */
  bytes: number;
  /**
   * Time of the earliest and of the latest write, in milliseconds since 1970; null if there are no
   * entries.
   */
  oldest: number | null;
  newest: number | null;
}

/**
 * Returns the number of a store's entries (`entries`), their total size (`bytes`), and their
 * earliest and latest time of writing in milliseconds since 1970 (`oldest`, `newest`; null without
 * entries), without reading their values.
 */
export async function inventory(store: KeyValueStore): Promise<Inventory> {
  const found: Inventory = { entries: 0, bytes: 0, oldest: null, newest: null };
  for await (const { bytes, writtenAt } of store.list('')) {
    found.entries++;
    found.bytes += bytes;
    found.oldest = Math.min(found.oldest ?? writtenAt, writtenAt);
    found.newest = Math.max(found.newest ?? writtenAt, writtenAt);
  }
  return found;
}

/**
 * The number of entries of a key-value store that `prune` deleted, or would delete in a dry run,
 * and their total size in bytes.
 */
export type PrunedCounts = Pick<Inventory, 'entries' | 'bytes'>;

/** Number of deletions at a time. */
const AT_ONCE = 100;

/** Deletes all entries of a store whose keys begin with a prefix. */
export async function deleteAll(store: KeyValueStore, prefix: string): Promise<void> {
  await forEachLimited(store.list(prefix), AT_ONCE, ({ key }) => store.delete(key));
}

/** Leases are kept, because their fence must continue from its last number. */
const isLease = ({ key }: StoredEntry) => key.startsWith('lease:');

/**
 * Deletes the entries that were last written before a time, except leases; returns their number
 * (`entries`) and total size (`bytes`).
 *
 * @param before Milliseconds since 1970.
 * @param dryRun Whether entries are only counted, not deleted.
 * @param isKept Returns whether the entry of a key stays, regardless of its age.
 */
export async function prune(
  store: KeyValueStore,
  before: number,
  dryRun = false,
  isKept: (key: string) => boolean = () => false,
): Promise<PrunedCounts> {
  const pruned: PrunedCounts = { entries: 0, bytes: 0 };
  await forEachLimited(store.list(''), AT_ONCE, async (entry) => {
    if (entry.writtenAt >= before || isLease(entry) || isKept(entry.key)) return;
    pruned.entries++;
    pruned.bytes += entry.bytes;
    if (!dryRun) await store.delete(entry.key);
  });
  return pruned;
}
