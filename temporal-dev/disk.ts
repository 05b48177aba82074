/** Room on the disk: asked for before a download, explained when it runs out after all. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readableBytes } from '../files/disk.js';
import { DiskFullError } from './setup-error.js';

/**
 * Checks that a folder's disk has room. @throws {DiskFullError} if `free` is less than `needed`,
 * both in bytes.
 */
export function checkRoom(folder: string, needed: number, free: number): void {
  if (free >= needed) return;
  throw new DiskFullError(
    `Not enough room in ${folder}: ${readableBytes(needed)} are needed and ${readableBytes(free)} are free. ` +
      'Make room, or set DURABLE_RAG_HOME to a folder on another disk.',
  );
}

/** Returns the error of a write to a folder without space. */
export function fullDisk(folder: string, cause?: unknown): DiskFullError {
  return new DiskFullError(
    `The disk is full: writing to ${folder} failed. What was fetched so far is kept. ` +
      'Make room, or set DURABLE_RAG_HOME to a folder on another disk, and start again.',
    { cause },
  );
}

/** Returns the total bytes in a folder; files that vanish meanwhile count nothing. */
export async function sizeOfTree(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
