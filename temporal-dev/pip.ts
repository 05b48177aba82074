import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { allOrAbort } from '../files/lock.js';
import { runToEnd } from './child.js';
import { diskFullError, sizeOfTree } from './disk-space.js';
import { childEnvironment, fetchingEnvironment, findProgram } from './find-program.js';
import { SetupError } from './setup-error.js';

/** Number of parallel downloads; pip itself fetches one file at a time. */
const PARALLEL = 4;
const PROGRESS_EVERY_MS = 300;

/** The wheels to download, and where to. */
interface PipOptions {
  /** Each as `name==version`. */
  wheels: readonly string[];
  /** Folder of the wheels, which are not fetched again if they exist. */
  folder: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  onProgress(done: number): void;
}

/**
 * Downloads wheels with pip, four in parallel, and returns their paths, in the order of `wheels`.
 * Wheels that are in the folder are not downloaded again.
 *
 * @throws {SetupError} if there is no pip, or with pip's message if it fails; DiskFullError; the
 * signal's reason if aborted.
 */
export async function fetchWheels(options: PipOptions): Promise<string[]> {
  const { wheels, folder, env, onProgress } = options;
  const pip = await findPip(env);
  // A killed pip's incomplete files cannot be continued.
  await rm(join(folder, 'tmp'), { recursive: true, force: true });
  await mkdir(join(folder, 'tmp'), { recursive: true });
  // The progress must not decrease: pip copies a finished wheel, which then counts twice.
  let most = 0;
  const progress = setInterval(async () => {
    most = Math.max(most, await sizeOfTree(folder));
    onProgress(most);
  }, PROGRESS_EVERY_MS);
  const paths: string[] = [];
  const queue = wheels.entries();
  const work = async (signal: AbortSignal) => {
    for (const [index, wheel] of queue) {
      signal.throwIfAborted();
      paths[index] = await fetchWheel(pip, wheel, folder, env, signal);
    }
  };
  try {
    await allOrAbort(options.signal, new Array(PARALLEL).fill(work));
    return paths;
  } finally {
    clearInterval(progress);
  }
}

async function fetchWheel(
  pip: readonly string[],
  wheel: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const name = wheel.replace('==', '-');
  const into = join(folder, name);
  const scratch = join(folder, 'tmp', name);
  const path = async (place: string) => join(place, (await readdir(place))[0] ?? '');
  const finished = await path(into).catch(() => undefined);
  if (finished !== undefined) return finished;
  const [TMPDIR, ready] = [join(scratch, 'tmp'), join(scratch, 'ready')];
  await mkdir(TMPDIR, { recursive: true });
  const args = [
    'download',
    wheel,
    '-d',
    ready,
    '--no-deps',
    '--only-binary=:all:',
    '--no-cache-dir',
    '--no-input',
    '--disable-pip-version-check',
    '--progress-bar',
    'off',
    '--retries',
    '2',
  ];
  const outcome = await runToEnd(pip, args, { ...fetchingEnvironment(env), TMPDIR }, signal);
  if (outcome.code === 0) {
    await rename(ready, into);
    return path(into);
  }
  if (outcome.output.includes('No space left on device')) throw diskFullError(folder);
  throw new SetupError(`pip could not fetch ${wheel}: ${explain(outcome.output)}`);
}

/** Returns the command that starts pip, as a list of words. */
async function findPip(env: NodeJS.ProcessEnv): Promise<string[]> {
  for (const python of ['python3', 'python']) {
    const path = await findProgram(python, env);
    if (path === undefined) continue;
    const { code } = await runToEnd([path], ['-m', 'pip', '--version'], childEnvironment(env));
    if (code === 0) return [path, '-m', 'pip'];
  }
  for (const pip of ['pip3', 'pip']) {
    const path = await findProgram(pip, env);
    if (path !== undefined) return [path];
  }
  throw new SetupError('neither Python with pip nor pip is on the PATH');
}

/** Returns the last error lines of pip's output as one line. */
function explain(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith('ERROR:'));
  const telling = errors.length > 0 ? errors : lines.filter((line) => line !== '');
  return telling.slice(-2).join(' ') || 'it gave no reason';
}
