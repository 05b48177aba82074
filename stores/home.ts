/** The home folder of durable-rag, and folders that only their owner can read. */
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the path of the home folder: DURABLE_RAG_HOME of the given environment, or
 * ~/.durable-rag.
 */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.DURABLE_RAG_HOME;
  return chosen === undefined || chosen === '' ? join(homedir(), '.durable-rag') : resolve(chosen);
}

/**
 * File in the home folder that lists the folders already warned about because others can read them.
 */
const WARNED = 'open-folders.txt';

/**
 * Creates a folder with mode 0700 if it does not exist. An existing folder stays unchanged; if its
 * mode lets other users in, `warn` is called, once for each folder and mode: a file in `home` lists
 * the warnings given. Never warns on Windows.
 */
export async function makePrivateFolder(
  folder: string,
  home: string,
  warn: (message: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  // Windows has no such modes, but returns similar numbers.
  if ((mode & 0o077) === 0 || process.platform === 'win32') return;
  const shown = (mode & 0o777).toString(8);
  const line = `${shown} ${folder}`;
  const file = join(home, WARNED);
  const warned = await readFile(file, 'utf8').catch(() => '');
  if (warned.split('\n').includes(line)) return;
  // If the home folder cannot be written, the next writer reports it.
  await appendFile(file, `${line}\n`, { mode: 0o600 }).catch(() => {});
  warn(
    `The folder ${folder} existed before, and other users of this machine can read it (mode ${shown}): chmod 700 prevents that. New files in it are readable by their owner only.`,
  );
}
