/** Room on a disk, and sizes as people read them. */
import { statfs } from 'node:fs/promises';

/** Returns the bytes that a user may still write to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns `1117320768` as `1.1 GB`: decimal units, as disks and downloads are sold. */
export function readableBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
