/** Tarballs that would be published, made of what is built. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Packed {
  tarball: string;
  /** What is in it, from the package's root. */
  files: string[];
}

/** Packs the package of a folder; the tarball lies in `into`. */
export async function pack(folder: string, into: string): Promise<Packed> {
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
