/** Counts the entries of a store, and deletes old ones. */
import { forEachLimited } from '../core/each-of.js';
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

/** Contents of one namespace. Times are in milliseconds since 1970. */
export interface Inventory {
  entries: number;
  /** Total size of the values. */
  bytes: number;
  /** When the first and the last of them were written; null if there are none. */
  oldest: number | null;
  newest: number | null;
}

/** Returns the contents of a store, without reading the values. */
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

/** Counts of the entries that were deleted from a store. */
export type PrunedCounts = Pick<Inventory, 'entries' | 'bytes'>;

/** Deletions at a time. */
const AT_ONCE = 100;

/** Deletes the entries whose keys begin with the prefix. */
export async function deleteAll(store: KeyValueStore, prefix: string): Promise<void> {
  await forEachLimited(store.list(prefix), AT_ONCE, ({ key }) => store.delete(key));
}

/** Leases are kept, because their fence must continue from its last number. */
const isLease = ({ key }: StoredEntry) => key.startsWith('lease:');

/**
 * Deletes entries that were last written before a time. Leases are kept.
 *
 * @param before Milliseconds since 1970.
 * @param dryRun Only counts.
 * @param isKept Tells whether a key stays, however old.
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
