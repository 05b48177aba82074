/** Checks the free space of a disk before a download, and explains a full disk. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readableBytes } from '../files/disk.js';
import { DiskFullError } from './setup-error.js';

/**
 * Throws if a folder's disk has too little space.
 *
 * @param needed Bytes that are needed.
 * @param free Bytes that are free.
 * @throws {DiskFullError} if `free` is less than `needed`.
 */
export function checkFreeSpace(folder: string, needed: number, free: number): void {
  if (free >= needed) return;
  throw new DiskFullError(
    `Not enough space in ${folder}: ${readableBytes(needed)} are needed and ${readableBytes(free)} are free. ` +
      'Free some space, or set DURABLE_RAG_HOME to a folder on another disk.',
  );
}

/** Returns the error for a write that has failed because the disk of a folder is full. */
export function diskFullError(folder: string, cause?: unknown): DiskFullError {
  return new DiskFullError(
    `The disk is full: writing to ${folder} failed. What was fetched so far is kept. ` +
      'Free some space, or set DURABLE_RAG_HOME to a folder on another disk, and start again.',
    { cause },
  );
}

/**
 * Returns the total size of the files in a folder and its subfolders, in bytes. A folder that does
 * not exist has 0, and so do files that vanish meanwhile.
 */
export async function sizeOfTree(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
