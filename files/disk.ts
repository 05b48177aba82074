/** Free space on a disk, and sizes as text. */
import { statfs } from 'node:fs/promises';

/**
 * Returns the number of bytes that are free for users without root rights, on the file system of a
 * folder.
 */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns a number of bytes as text in kB (rounded up), MB or GB: "1.1 GB" for 1117320768. */
export function readableBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
