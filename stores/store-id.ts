/** An id that a store is told by, written into it once. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyValueStore } from './key-value-store.js';

const KEY = 'store-id';
const FILE = '.store-id';

/** The id of a store of keys and values, which is given one where it has none. */
export async function storeId(store: KeyValueStore): Promise<string> {
  const there = await store.get(KEY);
  if (there !== undefined) return there;
  const id = randomUUID();
  return (await store.setIfAbsent(KEY, id)) ? id : ((await store.get(KEY)) ?? id);
}

/** The same of a folder; undefined where none can be written into it. */
export async function folderId(folder: string): Promise<string | undefined> {
  const file = join(folder, FILE);
  const read = () => readFile(file, 'utf8').catch(() => undefined);
  const there = await read();
  if (there) return there;
  const id = randomUUID();
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, id, { flag: 'wx' });
    return id;
  } catch {
    // Somebody else has just written one, or nobody may.
    return (await read()) || undefined;
  }
}
