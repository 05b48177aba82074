import { randomInt } from 'node:crypto';
import { mkdir, open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { absent } from '../core/failure.js';
import { anotherStore, storeFailure } from './failures.js';
import { onDiskWithRoom } from './full-disk.js';
import type { KeyValueStore } from './key-value-store.js';

/** LMDB's magic number, at the start of each data file. */
const MARK = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);

/** Entries that `list` reads at a time: it holds no snapshot of the store while its reader thinks. */
const PAGE = 500;

/** Digits of the time before a value, milliseconds since 1970: as many until the year 2286. */
const TIME = 13;

/**
 * Opens the store in a folder, made if it is not there.
 *
 * @throws Failure BadInput when the folder cannot be made or written. What writes throws Connection
 *   when the disk fails or is full, and when the folder was deleted or replaced meanwhile: LMDB
 *   would write on into files that nobody can open any more.
 */
export async function openLmdbStore(folder: string, namespace: string): Promise<KeyValueStore> {
  const { db, values, files } = await openFolder(folder);
  const full = (key: string) => `${namespace}:${key}`;
  const put = (key: string, value: string, before?: number) =>
    values.put(full(key), String(Date.now()) + value, newVersion(), before);
  /** A snapshot it renews by a timer may be older than another process's last write. */
  function read(key: string): { value: string; version: number } | undefined {
    values.resetReadTxn();
    const entry = values.getEntry(full(key));
    return entry && { value: entry.value.slice(TIME), version: entry.version ?? 0 };
  }
  async function written<T>(writing: () => T | Promise<T>): Promise<T> {
    if ((await filesIn(folder)) !== files) throw anotherStore(folder);
    return onDiskWithRoom(folder, async () => {
      try {
        // Resolves after the commit was flushed to the disk, not when it was queued.
        return await writing();
      } catch (error) {
        const what = `The store in ${folder} could not be written`;
        throw storeFailure('Connection', what, await commitError(error));
      }
    });
  }

  return {
    get: async (key) => read(key)?.value,
    async set(key, value) {
      await written(() => put(key, value));
    },
    setIfAbsent: (key, value) =>
      written(() =>
        values.ifNoExists(full(key), () => {
          // The outer promise tells of what fails; this one as well, which unread would end the process.
          put(key, value).catch(commitError);
        }),
      ),
    async compareAndSet(key, before, value) {
      // On condition of a version: a transaction that compares values blocks the process until the
      // disk has it, 14 ms against the 0.3 of what is gathered with other writes.
      for (;;) {
        const found = read(key);
        if (found?.value !== before) return false;
        // Else something was written in between, which may be the same value.
        if (await written(() => put(key, value, found.version))) return true;
      }
    },
    async delete(key) {
      await written(() => values.remove(full(key)));
    },
    async *list(prefix) {
      for (let start = full(prefix), exclusiveStart = false; ; exclusiveStart = true) {
        values.resetReadTxn();
        const keys = [...values.getKeys({ start, exclusiveStart, limit: PAGE })];
        for (const whole of keys) {
          if (!whole.startsWith(full(prefix))) return;
          start = whole;
          const key = whole.slice(namespace.length + 1);
          const kept = values.getBinary(whole);
          if (kept === undefined) continue;
          const writtenAt = Number(kept.toString('latin1', 0, TIME));
          yield { key, writtenAt, bytes: kept.length - TIME };
        }
        if (keys.length < PAGE) return;
      }
    },
    close: () => db.close(),
  };
}

/** One that no write has had. */
function newVersion(): number {
  return randomInt(2 ** 48 - 1);
}

async function openFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true });
    await checkData(join(folder, 'data.mdb'));
    // Without noSubdir lmdb takes a folder with a dot in its name for a file.
    const db = open<string, string>(folder, { encoding: 'string', noSubdir: false });
    const name = 'values';
    // Each value behind the time at which it was written; its version changes with every write.
    const values = db.openDB<string, string>({ name, encoding: 'string', useVersions: true });
    return { db, values, files: await filesIn(folder) };
  } catch (error) {
    throw storeFailure('BadInput', `The folder ${folder} cannot be used as a store`, error);
  }
}

/** Another text where a file was deleted or replaced: with another lock, two processes write at once. */
async function filesIn(folder: string): Promise<string> {
  const found = ['data.mdb', 'lock.mdb'].map((name) =>
    stat(join(folder, name), { bigint: true }).catch(() => undefined),
  );
  return (await Promise.all(found)).map((file) => `${file?.dev}/${file?.ino}`).join();
}

/** lmdb ends the process on a file that is not its own, so its mark is looked for first. */
async function checkData(file: string): Promise<void> {
  const data = await openFile(file).catch(absent);
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
