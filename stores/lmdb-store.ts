/** The embedded store: a folder that several processes share and that survives SIGKILL. */
import { mkdir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { storeFailure } from './failures.js';
import type { KeyValueStore } from './key-value-store.js';

/** LMDB's magic number, at the start of each data file. */
const MARK = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);

/**
 * Opens the store in a folder, made if it is not there.
 *
 * @throws Failure BadInput when the folder cannot be made or written. `get` and `set` throw
 *   Connection when the disk fails or is full.
 */
export async function openLmdbStore(folder: string, namespace: string): Promise<KeyValueStore> {
  const db = await openFolder(folder);
  const full = (key: string) => `${namespace}:${key}`;
  return {
    async get(key) {
      // lmdb reads from a snapshot it renews by a timer, which may be older than another
      // process's last write.
      db.resetReadTxn();
      return db.get(full(key));
    },
    async set(key, value) {
      try {
        // Resolves after the commit was flushed to the disk, not when it was queued.
        await db.put(full(key), value);
      } catch (error) {
        const what = `The store in ${folder} could not be written`;
        throw storeFailure('Connection', what, await commitError(error));
      }
    },
    close: () => db.close(),
  };
}

async function openFolder(folder: string): Promise<RootDatabase<string, string>> {
  try {
    await mkdir(folder, { recursive: true });
    await checkData(join(folder, 'data.mdb'));
    // Without noSubdir lmdb takes a folder with a dot in its name for a file.
    return open<string, string>(folder, { encoding: 'string', noSubdir: false });
  } catch (error) {
    throw storeFailure('BadInput', `The folder ${folder} cannot be used as a store`, error);
  }
}

/** lmdb ends the process on a file that is not its own, so its mark is looked for first. */
async function checkData(file: string): Promise<void> {
  const data = await openFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!data) return;
  try {
    const head = Buffer.alloc(32);
    const { bytesRead } = await data.read(head, 0, 32, 0);
    // An empty file is one that another process is just making.
    if (bytesRead > 0 && !head.includes(MARK)) {
      throw new Error('its file data.mdb is damaged: move it away to start anew');
    }
  } finally {
    await data.close();
  }
}

/** lmdb tells why a commit failed in a promise beside the error; unread, it would end the process. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (why: unknown) => why,
  );
}
