/**
 * The file format of archives: a .tar.gz of a few files, its parts. The first part, archive.json,
 * describes the archive and contains the hashes of the others.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInflateRaw } from 'node:zlib';
import { parseJson } from '../../core/canonical-json.js';
import { errorCodeOf, Failure, messageOf } from '../../core/failure.js';
import { isFullDisk } from '../full-disk.js';

/** File name of the part that describes an archive and has the hashes of the others. */
export const CONTENTS_FILE = 'archive.json';

/** The parts that an archive may hold. */
interface Layout {
  /** @example "a run" */
  of: string;
  /** Required parts, in order; archive.json is the first. */
  parts: readonly string[];
  /** Returns whether another part is allowed. */
  more?(path: string): boolean;
}

/**
 * Limits of the unpacked size. Text packs to about a tenth; an archive above these limits is a
 * bomb.
 */
const MOST_UNPACKED = { times: 50, atLeast: 64 * 2 ** 20 };

/** Loads the tar library, which is only needed to read or write archives. */
const tar = () => import('tar');

/**
 * Writes files of a folder as a gzipped tar archive without times and user names. An existing
 * archive is replaced only once the new one is complete.
 *
 * @param parts Names of the files in the order of the archive; archive.json is the first.
 */
export async function packArchive(
  folder: string,
  file: string,
  parts: readonly string[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.tmp`;
  const options = { gzip: true, portable: true, mtime: new Date(0), cwd: folder, file: draft };
  try {
    await withRoom(dirname(file), async () => {
      await (await tar()).create(options, [...parts]);
      await rename(draft, file);
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Returns an object from the name of each part except archive.json to the SHA-256 of its file, in
 * hexadecimal digits.
 */
export async function hashesOf(
  folder: string,
  parts: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const part of parts) {
    if (part === CONTENTS_FILE) continue;
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(join(folder, part))) hash.update(bytes);
    hashes[part] = hash.digest('hex');
  }
  return hashes;
}

/**
 * Unpacks the parts of an archive into a folder. Each part must occur once, and links are refused,
 * so that nothing is written outside the folder. The archive is checked before anything is written,
 * except for the hashes of its parts.
 *
 * @throws Failure BadInput for a file that does not exist, is not such an archive, or unpacks to
 * too much; Damaged for a damaged one, naming the part that is missing or damaged, if it is one.
 */
export async function unpackArchive(file: string, folder: string, layout: Layout): Promise<void> {
  const { of, parts, more = () => false } = layout;
  const found = new Set<string>();
  const strange: string[] = [];
  let unpacked = 0;
  const most = await readable(file, async () => {
    await (await tar()).list({
      file,
      strict: true,
      onReadEntry({ path, type, size }) {
        const isKnown = parts.includes(path) || more(path);
        const isOurs = type === 'File' && isKnown && !found.has(path);
        if (isOurs) found.add(path);
        else strange.push(path);
        unpacked += size;
      },
    });
    return Math.max(MOST_UNPACKED.atLeast, MOST_UNPACKED.times * (await stat(file)).size);
  });
  if (strange.length > 0)
    throw badArchive(file, `contains ${JSON.stringify(strange[0])}, which no archive of ${of} has`);
  const missing = parts.find((name) => !found.has(name));
  if (missing === CONTENTS_FILE)
    throw badArchive(file, `is no archive of ${of}: it has no ${missing}`);
  if (missing !== undefined) {
    throw new DamagedArchive(file, `it has no ${missing}`, missing);
  }
  if (unpacked > most) {
    const [size, limit] = [unpacked, most].map((bytes) => Math.ceil(bytes / 2 ** 20));
    throw badArchive(
      file,
      `unpacks to ${size} MB, and ${limit} MB are what one of its size may hold`,
    );
  }
  await readable(file, async () => (await tar()).extract({ file, cwd: folder, strict: true }));
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (isFullDisk(cause)) throw cause;
    if (errorCodeOf(cause) === 'ENOENT') {
      throw new Failure('BadInput', `There is no file ${file}.`, { cause });
    }
    const isPacked = errorCodeOf(cause)?.startsWith('Z_') === true;
    const part = await damagedPart(file, isPacked).catch(() => undefined);
    if (part === null) throw new DamagedArchive(file, 'bytes between its parts are damaged');
    if (part !== undefined) throw alteredArchive(file, part);
    const reason = messageOf(cause);
    const what = `${file} is no archive that durable-rag has written, or is damaged: ${reason}`;
    throw new Failure('BadInput', what, { cause });
  }
}

/** First bytes of a gzip file, and the position at which the compressed data of ours begins. */
const GZIP = Buffer.from([0x1f, 0x8b, 8]);
const GZIP_HEADER = 10;

/**
 * Returns the first part of an archive that cannot be read as it was written, from what can still
 * be unpacked; null if all parts can be read, undefined if it cannot be determined.
 *
 * @param isPacked Whether the compressed data is damaged.
 */
async function damagedPart(file: string, isPacked: boolean): Promise<string | null | undefined> {
  const most = Math.max(MOST_UNPACKED.atLeast, MOST_UNPACKED.times * (await stat(file)).size);
  const bytes = await readFile(file);
  if (!bytes.subarray(0, GZIP.length).equals(GZIP)) return undefined;
  const whole = new Map<string, string>();
  const begun: string[] = [];
  const parser = new (await tar()).Parser({
    onReadEntry(entry) {
      begun.push(entry.path);
      const hash = createHash('sha256');
      let left = entry.size;
      entry.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        left -= chunk.length;
        if (left === 0) whole.set(entry.path, hash.digest('hex'));
        if (entry.path === CONTENTS_FILE) contents.push(chunk);
      });
    },
  });
  const contents: Buffer[] = [];
  // Chunks are small, because the last one before the damage is lost.
  const inflate = createInflateRaw({ chunkSize: 64 });
  let unpacked = 0;
  inflate.end(bytes.subarray(GZIP_HEADER));
  let isCut = false;
  try {
    for await (const piece of inflate) {
      unpacked += piece.length;
      if (unpacked > most) return undefined;
      parser.write(piece);
    }
  } catch {
    // The data before the damage has been read.
    isCut = true;
  }
  const { parts } = Object(parseJson(Buffer.concat(contents).toString()));
  if (!whole.has(CONTENTS_FILE) || parts === undefined) {
    const [first] = begun;
    return first === CONTENTS_FILE || isPacked || (first === undefined && isCut)
      ? CONTENTS_FILE
      : undefined;
  }
  return Object.keys(parts).find((part) => whole.get(part) !== parts[part]) ?? null;
}

/**
 * Returns the `format` field of an archive's archive.json, such as "durable-rag-run"; undefined if
 * the file cannot be read as an archive, or has no such part or field.
 */
export async function archiveFormat(file: string): Promise<unknown> {
  const contents: Buffer[] = [];
  const reading = (await tar()).list({
    file,
    onReadEntry(entry) {
      if (entry.path === CONTENTS_FILE) entry.on('data', (chunk: Buffer) => contents.push(chunk));
    },
  });
  await reading?.catch(() => {});
  return Object(parseJson(Buffer.concat(contents).toString())).format;
}

/**
 * Returns the name of the first part in a folder whose hash differs from the expected one;
 * undefined if all are equal.
 *
 * @param parts Names of the parts to compare; archive.json is left out.
 * @param expected Hashes by part, as `hashesOf` returns them.
 * @throws Node's error if a part is missing.
 */
export async function alteredPart(
  folder: string,
  parts: readonly string[],
  expected: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const found = await hashesOf(folder, parts);
  return Object.keys(found).find((part) => found[part] !== expected[part]);
}

/**
 * The error of a damaged archive of a run or study: a Failure Damaged that also names the damaged
 * part (`part`, undefined if it is not a single part).
 */
export class DamagedArchive extends Failure {
  constructor(
    file: string,
    what: string,
    /** The damaged part; undefined if it is not a single part. */
    readonly part?: string,
  ) {
    super('Damaged', `${file} is damaged: ${what}. Make ${basename(file)} anew.`);
  }
}

/** Returns the error of an archive in which a part has been changed; it is not thrown. */
export function alteredArchive(file: string, part: string): DamagedArchive {
  return new DamagedArchive(file, `${part} is not as it was written`, part);
}

/**
 * Returns the failure BadInput of a file that cannot be read as an archive; it is not thrown.
 *
 * @param what Predicate of the file, such as "does not exist".
 */
export function badArchive(file: string, what: string): Failure {
  return new Failure('BadInput', `${file} ${what}.`);
}

/**
 * Runs a function with a temporary folder, which is removed afterwards; returns its result.
 *
 * @throws Failure Connection if the disk is full or can only be read; any other error of the
 * function.
 */
export function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return withRoom(
    `${tmpdir()}, where archives are unpacked (TMPDIR names another folder)`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'durable-rag-archive-'));
      // Files that are still being unpacked reappear while the folder is removed.
      const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
      try {
        return await work(folder);
      } finally {
        // A folder that cannot be removed must not hide the work's own error.
        await rm(folder, options).catch(() => {});
      }
    },
  );
}

/** Adds the full folder to the error of a full disk; a store's own error stays as it is. */
async function withRoom<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isFullDisk(cause)) throw cause;
    const message = `The disk is full, or can only be read: make room in ${where}.`;
    throw new Failure('Connection', message, { cause });
  }
}
