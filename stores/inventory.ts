/** What a store holds: how much, how old, and what of it can go. */
import { eachOf } from '../core/each-of.js';
import type { KeyValueStore, StoredEntry } from './key-value-store.js';

/** What one namespace holds. Times are in milliseconds since 1970. */
export interface Inventory {
  entries: number;
  /** Of the values. */
  bytes: number;
  /** When the first and the last of them were written; null where there is none. */
  oldest: number | null;
  newest: number | null;
}

/** Looks at every entry, and reads none. */
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

export type Pruned = Pick<Inventory, 'entries' | 'bytes'>;

/** Deletions at a time. */
const AT_ONCE = 100;

/** Deletes the entries whose keys begin so. */
export async function deleteAll(store: KeyValueStore, prefix: string): Promise<void> {
  await eachOf(store.list(prefix), AT_ONCE, ({ key }) => store.delete(key));
}

/** Its fence must go on from where it is. */
const isLease = ({ key }: StoredEntry) => key.startsWith('lease:');

/**
 * Deletes what was last written before a time. Leases are kept.
 *
 * @param before In milliseconds since 1970.
 * @param dryRun Only counts.
 * @param isKept Whether a key stays, however old.
 */
export async function prune(
  store: KeyValueStore,
  before: number,
  dryRun = false,
  isKept: (key: string) => boolean = () => false,
): Promise<Pruned> {
  const pruned: Pruned = { entries: 0, bytes: 0 };
  await eachOf(store.list(''), AT_ONCE, async (entry) => {
    if (entry.writtenAt >= before || isLease(entry) || isKept(entry.key)) return;
    pruned.entries++;
    pruned.bytes += entry.bytes;
    if (!dryRun) await store.delete(entry.key);
  });
  return pruned;
}
