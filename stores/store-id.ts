/** Ids of stores and folders, which are written into them once. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyValueStore } from './key-value-store.js';

const KEY = 'store-id';
const FILE = '.store-id';

/** Returns the random id that identifies a key-value store; writes one first if it has none. */
export async function storeId(store: Pick<KeyValueStore, 'get' | 'setIfAbsent'>): Promise<string> {
  const there = await store.get(KEY);
  if (there !== undefined) return there;
  const id = randomUUID();
  return (await store.setIfAbsent(KEY, id)) ? id : ((await store.get(KEY)) ?? id);
}

/**
 * Returns the random id that identifies a folder; writes one first if it has none. Returns
 * undefined if it cannot be written.
 */
export async function folderId(folder: string): Promise<string | undefined> {
  const file = join(folder, FILE);
  const read = () => readFile(file, 'utf8').catch(() => undefined);
  const there = await read();
  if (there) return there;
  const id = randomUUID();
  const draft = `${file}-${id}`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(draft, id);
    // Left by a disk that was full at that moment.
    if (there === '') await rm(file, { force: true });
    // Of several concurrent writers, the first one's id stays. Some file systems have no links.
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') await rename(draft, file);
    });
  } catch {
    return undefined;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
  return (await read()) || undefined;
}
