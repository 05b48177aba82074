/** Where everything is kept on this machine that nobody has named another place for. */
import { mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns where everything is kept on this machine: DURABLE_RAG_HOME, or ~/.durable-rag. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.DURABLE_RAG_HOME;
  return chosen === undefined || chosen === '' ? join(homedir(), '.durable-rag') : resolve(chosen);
}

/** Folders of which this process has said that they are open. */
const told = new Set<string>();

/**
 * Makes a folder where it is not there, for nobody else to enter. One that is there stays as it is;
 * where others may look into it, that is said once.
 */
export async function privateFolder(
  folder: string,
  warn: (message: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  // Windows has no such modes, and shows what looks like one.
  if ((mode & 0o077) === 0 || process.platform === 'win32' || told.has(folder)) return;
  told.add(folder);
  warn(
    `The folder ${folder} was there before, and others on this machine may look into it (mode ${(mode & 0o777).toString(8)}): chmod 700 closes it. What is made in it is for its owner alone.`,
  );
}
