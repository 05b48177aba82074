/** Fetches wheels with pip, which knows the user's package index, proxy and certificates. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from './artifacts.js';
import { killGroup, spawnKept } from './child.js';
import { childEnvironment, fetchingEnvironment } from './child-environment.js';
import { fullDisk, sizeOfTree } from './disk.js';
import { findProgram } from './find-program.js';
import { SetupError } from './setup-error.js';

/** Side by side: pip itself fetches one file at a time, and most of that is waiting. */
const PARALLEL = 4;
const PROGRESS_EVERY_MS = 300;

export interface PipOptions {
  wheels: readonly SourceFile[];
  /** Finished wheels stay here, each in a folder of its own, and are not fetched again. */
  folder: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  onProgress(done: number): void;
}

/**
 * Fetches every wheel, checked against its pinned sha256, and gives their paths in order.
 *
 * @throws {SetupError} when there is no pip, or with pip's own words when it fails.
 */
export async function fetchWheels(options: PipOptions): Promise<string[]> {
  const { wheels, folder, env, onProgress } = options;
  const pip = await findPip(env);
  // What a killed pip left half done cannot be continued.
  await rm(join(folder, 'tmp'), { recursive: true, force: true });
  await mkdir(join(folder, 'tmp'), { recursive: true });

  const failed = new AbortController();
  const signal =
    options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
  // pip copies a wheel from its scratch folder when it is done: for a moment it counts twice.
  let most = 0;
  const look = async () => {
    most = Math.max(most, await sizeOfTree(folder));
    onProgress(most);
  };
  const progress = setInterval(() => void look(), PROGRESS_EVERY_MS);
  const paths: string[] = [];
  const queue = [...wheels.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      const [index, wheel] = next;
      paths[index] = await fetchWheel(pip, wheel, folder, env, signal);
    }
  };
  const workers = Array.from({ length: Math.min(PARALLEL, wheels.length) }, () =>
    work().catch((error: unknown) => {
      failed.abort(error); // The first failure stops the others, and is the one told.
      throw error;
    }),
  );
  try {
    await Promise.all(workers);
    return paths;
  } finally {
    await Promise.allSettled(workers);
    clearInterval(progress);
  }
}

async function fetchWheel(
  pip: readonly string[],
  wheel: SourceFile,
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const name = wheel.from.replace('==', '-');
  const into = join(folder, name);
  const finished = await wholeWheel(into, wheel.size);
  if (finished !== undefined) return finished;
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });

  const pinned = join(folder, 'tmp', `${name}.txt`);
  const scratch = join(folder, 'tmp', name);
  await mkdir(scratch, { recursive: true });
  await writeFile(pinned, `${wheel.from} --hash=sha256:${wheel.sha256}\n`);
  const args = [
    ...['download', '--require-hashes', '-r', pinned, '-d', into],
    ...['--no-deps', '--only-binary=:all:', '--no-cache-dir', '--no-input'],
    ...['--disable-pip-version-check', '--progress-bar', 'off', '--retries', '2'],
  ];
  const outcome = await run(pip, args, { ...fetchingEnvironment(env), TMPDIR: scratch }, signal);
  if (outcome.code !== 0) {
    if (outcome.output.includes('No space left on device')) throw fullDisk(folder);
    throw new SetupError(`pip could not fetch ${wheel.from}: ${explain(outcome.output)}`);
  }
  const path = await wholeWheel(into, wheel.size);
  if (path === undefined) {
    throw new SetupError(`pip fetched ${wheel.from} but not ${wheel.size} bytes of it`);
  }
  return path;
}

/** The command that starts pip, as a list of words. */
async function findPip(env: NodeJS.ProcessEnv): Promise<string[]> {
  for (const python of ['python3', 'python']) {
    const path = await findProgram(python, env);
    if (path === undefined) continue;
    const { code } = await run([path], ['-m', 'pip', '--version'], childEnvironment(env));
    if (code === 0) return [path, '-m', 'pip'];
  }
  for (const pip of ['pip3', 'pip']) {
    const path = await findProgram(pip, env);
    if (path !== undefined) return [path];
  }
  throw new SetupError('neither Python with pip nor pip is on the PATH');
}

/** Runs to the end in a group of its own, so that Ctrl-C reaches it through the signal only. */
function run(
  command: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const [program = '', ...before] = command;
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const child = spawnKept(program, [...before, ...args], env, 'pipe');
    const kill = () => killGroup(child);
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    signal?.addEventListener('abort', kill, { once: true });
    child.once('error', fail);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', kill);
      if (signal?.aborted) fail(signal.reason);
      else done({ code, output });
    });
  });
}

/** The lines in which pip says why; the rest of its output is noise. */
function explain(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith('ERROR:'));
  const telling = errors.length > 0 ? errors : lines.filter((line) => line !== '').slice(-2);
  return telling.slice(-2).join(' ') || 'it gave no reason';
}

/** The wheel in a folder when it has its full size: its sha256 was checked by pip. */
async function wholeWheel(folder: string, size: number): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const name = names.find((one) => one.endsWith('.whl'));
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return (await stat(path)).size === size ? path : undefined;
}
