/** Files that are there whole or not at all, whatever happens while they are written. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file piece by piece beside its place, and puts it there when all of it is on the disk.
 * What stood there before stays until then, and stays for good when `fill` throws.
 */
export async function writeAtomically(
  file: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A name of its own: an attempt that was given up may still be writing.
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
