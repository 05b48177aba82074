/** Detects full and read-only disks, and reports each once with its folder and file system. */
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf, Failure } from '../core/failure.js';

/**
 * The failure of a write because the disk is full or read-only: a Failure Connection, which is
 * retryable.
 */
export class DiskFull extends Failure {
  constructor(message: string, cause: unknown) {
    super('Connection', message, { cause });
  }
}

/** Error codes: no space, no quota, read-only. */
const CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Returns whether an error of the file system means that the disk is full or read-only. */
export function isFullDisk(error: unknown): boolean {
  return CODES.has(errorCodeOf(error));
}

const MIB = 1024 * 1024;

/** Free space below which a disk counts as full, in bytes. */
const LEAST_BYTES = MIB;

/** Free space above which a disk is not checked again for a second, in bytes. */
const PLENTY_BYTES = 256 * MIB;
const CHECK_EVERY_MS = 1000;

/** Mount points of the full disks that this process has reported. */
const reported = new Set<string>();

/** Time until which a folder has plenty of space, in milliseconds since 1970. */
const plenty = new Map<string, number>();

/**
 * Runs a write into a folder if its disk has at least 1 MiB of free space, and returns its result.
 * A disk with plenty of space is checked once a second only.
 *
 * LMDB must not meet a full disk: it prints an "Input/output error" for each write and rejects
 * promises that no code can catch.
 *
 * @throws DiskFull like `reportingFullDisk`; without that space, before anything is written.
 */
export function writeIfDiskHasSpace<T>(folder: string, write: () => Promise<T>): Promise<T> {
  return reportingFullDisk(folder, async () => {
    if (Date.now() >= (plenty.get(folder) ?? 0)) {
      const { free } = await roomOf(folder);
      if (free < LEAST_BYTES) throw Object.assign(new Error('No room.'), { code: 'ENOSPC' });
      if (free >= PLENTY_BYTES) plenty.set(folder, Date.now() + CHECK_EVERY_MS);
    }
    return write();
  });
}

/**
 * Runs a write into a folder, and returns its result.
 *
 * @throws DiskFull if the disk is full or read-only. The first failure on a disk is also printed to
 * standard error; the next one only after a write to that disk has succeeded.
 */
export async function reportingFullDisk<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write();
    if (reported.size > 0) reported.delete(await mountOf(folder));
    return written;
  } catch (error) {
    const full = await fullDiskFailure(folder, error);
    if (!full) throw error;
    const mount = await mountOf(folder);
    if (!reported.has(mount)) process.stderr.write(`${full.message}\n`);
    reported.add(mount);
    throw full;
  }
}

/**
 * Returns the failure DiskFull if an error means that the disk is full or read-only, or if a write
 * failed while less than 1 MiB was free; otherwise undefined.
 */
export async function fullDiskFailure(
  folder: string,
  error: unknown,
): Promise<DiskFull | undefined> {
  const code = errorCodeOf(error);
  const room = await roomOf(folder);
  const isFull = isOfWriting(error) && room.free < LEAST_BYTES;
  if (!CODES.has(code) && !isFull) return undefined;
  return new DiskFull(explain(folder, await mountOf(folder), room, code === 'EROFS'), error);
}

/** Returns whether an error comes from writing, and not from producing the data. */
function isOfWriting(error: unknown): boolean {
  return !(error instanceof Failure) || error.type === 'Connection';
}

/** Space of a file system, in bytes. */
interface Room {
  free: number;
  size: number;
}

async function roomOf(folder: string): Promise<Room> {
  // A folder whose file system cannot be examined has another problem than a full disk.
  const none = { bavail: 1, blocks: 1, bsize: Number.MAX_SAFE_INTEGER };
  const { bavail, blocks, bsize } = await statfs(folder).catch(() => none);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Returns the uppermost folder on the same file system. */
async function mountOf(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  const above = dirname(folder);
  // A folder that could not be made is on the disk of its parent.
  if (above === folder || (found && (await stat(above)).dev !== found.dev)) return folder;
  return mountOf(above);
}

function explain(folder: string, mount: string, { free, size }: Room, readOnly: boolean): string {
  const disk = `the file system that is mounted at ${mount}`;
  return readOnly
    ? `The folder ${folder} cannot be written: ${disk} is read-only. Mount it for writing; a worker then continues by itself; repeat a command.`
    : `The folder ${folder} cannot be written: ${disk} is full (${mebibytes(free)} of ${mebibytes(size)} MiB free). Make room there; a worker then continues by itself; repeat a command.`;
}

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0);
}
