/** How an archive of a run is packed: a .tar.gz of a few files, from which nothing else comes out. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create, extract, list } from 'tar';
import { codeOf, Failure, messageOf } from '../../core/failure.js';
import { isFullDisk } from '../full-disk.js';

/** All that an archive holds, in this order. */
const FILES = [
  'archive.json',
  'manifest.json',
  'questions.jsonl',
  'passages.jsonl',
  'answers.jsonl',
  'marks.jsonl',
] as const;

/** Text packs to a tenth or so: what unpacks to more than this is no run, but a bomb. */
const MOST_UNPACKED = { times: 50, atLeast: 64 * 2 ** 20 };

/** Without times and names of this machine; beside its place first, so that none is half of itself. */
export async function pack(folder: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.tmp`;
  const options = { gzip: true, portable: true, mtime: new Date(0), cwd: folder, file: draft };
  try {
    await withRoom(dirname(file), async () => {
      await create(options, [...FILES]);
      await rename(draft, file);
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Only the files of an archive, each once, and none of them a link: nothing leads out of the folder.
 * Nothing is written before all that is in it has been looked at.
 */
export async function unpack(file: string, folder: string): Promise<void> {
  const found = new Set<string>();
  const strange: string[] = [];
  let unpacked = 0;
  const most = await readable(file, async () => {
    await list({
      ...{ file, strict: true },
      onReadEntry({ path, type, size }) {
        const isOurs = type === 'File' && FILES.some((name) => name === path) && !found.has(path);
        if (isOurs) found.add(path);
        else strange.push(path);
        unpacked += size;
      },
    });
    return Math.max(MOST_UNPACKED.atLeast, MOST_UNPACKED.times * (await stat(file)).size);
  });
  if (strange.length > 0)
    throw refused(file, `holds ${JSON.stringify(strange[0])}, which no run has`);
  const missing = FILES.find((name) => !found.has(name));
  if (missing !== undefined) throw refused(file, `is no archive of a run: it has no ${missing}`);
  if (unpacked > most) {
    const [size, limit] = [unpacked, most].map((bytes) => Math.ceil(bytes / 2 ** 20));
    throw refused(file, `unpacks to ${size} MB, and ${limit} MB are what one of its size may hold`);
  }
  await readable(file, () => extract({ file, cwd: folder, strict: true }));
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (isFullDisk(cause)) throw cause;
    if (codeOf(cause) === 'ENOENT') {
      throw new Failure('BadInput', `There is no file ${file}.`, { cause });
    }
    const reason = messageOf(cause);
    const what = `${file} is no archive that "runs export" has written, or is damaged: ${reason}`;
    throw new Failure('BadInput', what, { cause });
  }
}

export function refused(file: string, what: string): Failure {
  return new Failure('BadInput', `${file} ${what}.`);
}

/** Gives work a folder among the temporary ones, which is gone at its end. */
export function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return withRoom(
    `${tmpdir()}, where archives are unpacked (TMPDIR names another folder)`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'durable-rag-archive-'));
      // Files that are still being unpacked come back while the folder is removed.
      const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
      try {
        return await work(folder);
      } finally {
        // A folder that cannot be removed must not hide why the work failed.
        await rm(folder, options).catch(() => {});
      }
    },
  );
}

/** @throws Failure that names where there is no room; one of a store that has none stays as it is. */
async function withRoom<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isFullDisk(cause)) throw cause;
    const message = `The disk is full, or can only be read: make room in ${where}.`;
    throw new Failure('Connection', message, { cause });
  }
}
