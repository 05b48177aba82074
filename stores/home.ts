/** Where everything is kept on this machine that nobody has named another place for. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of everything durable-rag keeps on this machine: DURABLE_RAG_HOME, or ~/.durable-rag. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.DURABLE_RAG_HOME;
  return chosen === undefined || chosen === '' ? usualHome() : resolve(chosen);
}

function usualHome(): string {
  return join(homedir(), '.durable-rag');
}

/**
 * Makes the home where it is not there, for nobody else to enter. The usual one, which is nobody
 * else's business, is closed where an earlier version left it open; one that somebody chose and made
 * is left as it is.
 */
export async function privateHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (home !== usualHome() || ((await stat(home)).mode & 0o077) === 0) return;
  await chmod(home, 0o700);
}
