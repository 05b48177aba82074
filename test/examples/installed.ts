/** An example as a stranger has it: copied, with the packed package installed beside it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../stores/package-root.js';
import { pack } from '../package/packed.js';

const run = promisify(execFile);

export interface Installed {
  folder: string;
  /** Of the installed package. */
  root: string;
  remove(): Promise<void>;
}

/** Packs what is built and installs it; its dependencies are linked, since a test has no network. */
export async function installedExample(name: string): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-example-'));
  const modules = join(folder, 'node_modules');
  const root = join(modules, 'durable-rag');
  await cp(join(packageRoot(), 'examples', name), folder, { recursive: true });
  await mkdir(root, { recursive: true });
  const { tarball } = await pack(packageRoot());
  await run('tar', ['-xzf', tarball, '-C', root, '--strip-components=1']);
  const here = join(packageRoot(), 'node_modules');
  for (const entry of await readdir(here)) {
    if (!entry.startsWith('.')) await symlink(join(here, entry), join(modules, entry));
  }
  return { folder, root, remove: () => rm(folder, { recursive: true, force: true }) };
}
