/** A disk of a test's own, small enough to be filled. */
import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;

const MIB = 1024 * 1024;

/** Mounts one of so many MiB over a folder; undefined where that is not allowed. */
export function mountSmallDisk(folder: string, mebibytes: number) {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    async fill() {
      const file = await open(ballast, 'w');
      try {
        // Smaller and smaller pieces, until not a page is left.
        for (let size = MIB; size >= 4096; size = Math.floor(size / 4)) {
          await writeUntilFull(file, Buffer.alloc(size, 1));
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    unmount() {
      // Lazily: what was killed a moment ago may still have a file open.
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer) {
  for (;;) {
    try {
      await file.write(piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
