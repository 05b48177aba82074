/** Where everything is kept on this machine that nobody has named another place for. */
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns where everything is kept on this machine: DURABLE_RAG_HOME, or ~/.durable-rag. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.DURABLE_RAG_HOME;
  return chosen === undefined || chosen === '' ? join(homedir(), '.durable-rag') : resolve(chosen);
}

/** The file in the home that lists the folders that others may look into and that were warned of. */
const WARNED = 'open-folders.txt';

/**
 * Makes a folder that nobody else can enter, if it is not there. One that is there stays as it is: if
 * others may look into it, that is said once a home and mode.
 */
export async function privateFolder(
  folder: string,
  home: string,
  warn: (message: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  // Windows has no such modes, and shows what looks like one.
  if ((mode & 0o077) === 0 || process.platform === 'win32') return;
  const shown = (mode & 0o777).toString(8);
  const line = `${shown} ${folder}`;
  const file = join(home, WARNED);
  const warned = await readFile(file, 'utf8').catch(() => '');
  if (warned.split('\n').includes(line)) return;
  // A home that cannot be written to is refused by whoever writes there.
  await appendFile(file, `${line}\n`, { mode: 0o600 }).catch(() => {});
  warn(
    `The folder ${folder} was there before, and others on this machine may look into it (mode ${shown}): chmod 700 closes it. What is made in it is for its owner alone.`,
  );
}
