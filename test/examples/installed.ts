/** An example as a stranger has it: copied, with the packed package installed beside it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { onDemand } from '../support/on-demand.js';

export interface Installed {
  cwd: string;
  /** Of the installed package. */
  root: string;
}

/**
 * Installs the packed package in so many folders, each until the test file ends; its
 * dependencies are linked, since a test has no network.
 *
 * @param example One that is copied beside it.
 */
export async function installed(folders: number, example?: string): Promise<Installed[]> {
  const { tarball } = await onDemand('packed');
  const here = join(packageRoot(), 'node_modules');
  const made = Array.from({ length: folders }, async () => {
    const cwd = await temporaryFolder();
    const modules = join(cwd, 'node_modules');
    const root = join(modules, 'durable-rag');
    if (example) await cp(join(packageRoot(), 'examples', example), cwd, { recursive: true });
    await mkdir(root, { recursive: true });
    await promisify(execFile)('tar', ['-xzf', tarball, '-C', root, '--strip-components=1']);
    for (const entry of await readdir(here)) {
      if (!entry.startsWith('.')) await symlink(join(here, entry), join(modules, entry));
    }
    return { cwd, root };
  });
  return Promise.all(made);
}
