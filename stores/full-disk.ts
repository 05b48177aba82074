/** A disk that is full, told once and so that a person can act: which folder, which file system. */
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, Failure } from '../core/failure.js';

/** A folder cannot be written because its disk is full, or can only be read. Heals with the disk. */
export class DiskFull extends Failure {
  constructor(message: string, cause: unknown) {
    super('Connection', message, { cause });
  }
}

/** No room, no room for this user, only to be read. */
const CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Tells whether a call of the file system failed since its disk is full, or can only be read. */
export function isFullDisk(error: unknown): boolean {
  return CODES.has(codeOf(error));
}

const MIB = 1024 * 1024;

/** With less room than this a disk is full: more than one write takes. */
const LEAST_BYTES = MIB;

/** Where there is so much, nobody looks again for a while. */
const PLENTY_BYTES = 256 * MIB;
const LOOK_EVERY_MS = 1000;

/** Where the file systems are mounted that are full, as far as this process has said so. */
const told = new Set<string>();

/** Until when there is plenty of room, by folder. */
const plenty = new Map<string, number>();

/**
 * Runs what writes into a folder, where there is room for it.
 *
 * LMDB must not come upon a full disk: it prints an "Input/output error" for each write, and rejects
 * promises that nobody has.
 *
 * @throws DiskFull as `onDisk`, before anything is written.
 */
export function onDiskWithRoom<T>(folder: string, write: () => Promise<T>): Promise<T> {
  return onDisk(folder, async () => {
    if (Date.now() >= (plenty.get(folder) ?? 0)) {
      const { free } = await roomOf(folder);
      if (free < LEAST_BYTES) throw Object.assign(new Error('No room.'), { code: 'ENOSPC' });
      if (free >= PLENTY_BYTES) plenty.set(folder, Date.now() + LOOK_EVERY_MS);
    }
    return write();
  });
}

/**
 * Runs what writes into a folder.
 *
 * @throws DiskFull where the disk is why it failed. The first of them is written to standard error
 *   as well, and the next one only after something could be written there again.
 */
export async function onDisk<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write();
    if (told.size > 0) told.delete(await mountOf(folder));
    return written;
  } catch (error) {
    const full = await fullDiskOf(folder, error);
    if (!full) throw error;
    const mount = await mountOf(folder);
    if (!told.has(mount)) process.stderr.write(`${full.message}\n`);
    told.add(mount);
    throw full;
  }
}

/** Returns what to say if something failed because the disk of a folder is full; undefined if not. */
export async function fullDiskOf(folder: string, error: unknown): Promise<DiskFull | undefined> {
  const code = codeOf(error);
  const room = await roomOf(folder);
  const isFull = isOfWriting(error) && room.free < LEAST_BYTES;
  if (!CODES.has(code) && !isFull) return undefined;
  return new DiskFull(explain(folder, await mountOf(folder), room, code === 'EROFS'), error);
}

/** Tells whether what failed is the writing, and not what was to be written. */
function isOfWriting(error: unknown): boolean {
  return !(error instanceof Failure) || error.type === 'Connection';
}

interface Room {
  free: number;
  size: number;
}

async function roomOf(folder: string): Promise<Room> {
  // A folder that cannot be looked at is another trouble than a full disk.
  const none = { bavail: 1, blocks: 1, bsize: Number.MAX_SAFE_INTEGER };
  const { bavail, blocks, bsize } = await statfs(folder).catch(() => none);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Returns the uppermost folder on the same file system. */
async function mountOf(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  const above = dirname(folder);
  // One that could not be made is on the disk of the folder that it is to be in.
  if (above === folder || (found && (await stat(above)).dev !== found.dev)) return folder;
  return mountOf(above);
}

function explain(folder: string, mount: string, { free, size }: Room, readOnly: boolean): string {
  const disk = `the file system that is mounted at ${mount}`;
  return readOnly
    ? `The folder ${folder} cannot be written: ${disk} is read-only. Mount it for writing; a worker goes on by itself, and a command is to be typed again.`
    : `The folder ${folder} cannot be written: ${disk} is full (${mebibytes(free)} of ${mebibytes(size)} MiB free). Make room there; a worker goes on by itself, and a command is to be typed again.`;
}

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0);
}
