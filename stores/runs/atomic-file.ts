import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reportingFullDisk } from '../full-disk.js';

/**
 * Replaces a file atomically: `fill` writes a temporary file piece by piece, which is renamed once
 * it is on the disk. The previous file stays if `fill` throws.
 *
 * @throws DiskFull if the disk is full or read-only.
 */
export function writeAtomically(file: string, fill: Fill): Promise<void> {
  return reportingFullDisk(dirname(file), () => replace(file, fill));
}

type Fill = (write: (text: string) => Promise<void>) => Promise<unknown>;

async function replace(file: string, fill: Fill): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A unique name, since an abandoned attempt may still be writing.
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'wx');
    try {
      await fill(async (text) => {
        await handle.appendFile(text);
      });
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
