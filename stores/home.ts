/** Where everything is kept on this machine that nobody has named another place for. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of everything durable-rag keeps on this machine: DURABLE_RAG_HOME, or ~/.durable-rag. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.DURABLE_RAG_HOME;
  return chosen === undefined || chosen === '' ? join(homedir(), '.durable-rag') : resolve(chosen);
}
