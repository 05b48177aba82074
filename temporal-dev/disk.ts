/** Room on the disk: asked for before a download, explained when it runs out after all. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFullError } from './setup-error.js';

/** Bytes a user may still write to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @throws {DiskFullError} when `free` is less than `needed` bytes. */
export function checkRoom(folder: string, needed: number, free: number): void {
  if (free >= needed) return;
  throw new DiskFullError(
    `Not enough room in ${folder}: ${readableBytes(needed)} are needed and ${readableBytes(free)} are free. ` +
      'Make room, or set DURABLE_RAG_HOME to a folder on another disk.',
  );
}

/** Returns what to throw when writing to a folder failed for want of room. */
export function fullDisk(folder: string, cause?: unknown): DiskFullError {
  return new DiskFullError(
    `The disk is full: writing to ${folder} failed. What was fetched so far is kept. ` +
      'Make room, or set DURABLE_RAG_HOME to a folder on another disk, and start again.',
    { cause },
  );
}

/** Bytes in a folder; files that vanish while it looks count nothing. */
export async function sizeOfTree(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** `1117320768` as `1.1 GB`: decimal units, as disks and downloads are sold. */
export function readableBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
