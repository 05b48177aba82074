/** A Python that has what an example needs, apart from whatever else is on the machine. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../stores/package-root.js';

const run = promisify(execFile);

/** Whether there is a Python that can make such a one. */
export async function findsPython(): Promise<boolean> {
  return run('python3', ['-c', 'import venv, ensurepip']).then(
    () => true,
    () => false,
  );
}

/** The interpreter of an environment with these packages, `name==version`; it is made once. */
export async function pythonWith(...packages: string[]): Promise<string> {
  const cache = join(packageRoot(), 'node_modules', '.cache');
  const place = join(cache, `python-${packages.join('-').replace(/[^\w.-]+/g, '-')}`);
  const python = join(place, 'bin', 'python');
  if (existsSync(python)) return python;
  await mkdir(cache, { recursive: true });
  // What is half made lies elsewhere; the interpreter finds its packages by where it lies itself.
  const making = await mkdtemp(join(cache, 'python-'));
  try {
    await run('python3', ['-m', 'venv', making]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check'];
    await run(join(making, 'bin', 'python'), [...pip, ...packages]);
    await rename(making, place);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
  return python;
}
