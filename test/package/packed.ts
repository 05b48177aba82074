/** The tarball that would be published, made of what is built. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/folder.js';

export interface Packed {
  tarball: string;
  /** What is in it, from the package's root. */
  files: string[];
}

/** Packs the package in a folder; the tarball is there until the tests of the file have ended. */
export async function pack(folder: string): Promise<Packed> {
  const into = await temporaryFolder();
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', into],
    { cwd: folder, maxBuffer: 1e8 },
  );
  const [{ filename, files }] = JSON.parse(stdout);
  return {
    tarball: join(into, filename),
    files: files.map(({ path }: { path: string }) => path),
  };
}
