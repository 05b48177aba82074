/** The commands of durable-rag, as a person would type them. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../stores/package-root.js';

/** Carries one out, and returns what it prints. */
export type Type = (...args: string[]) => Promise<string>;

/**
 * @param env What every command is given beside the environment of this process.
 * @param cwd Folder in which they run, and into which they write.
 */
export function commandsWith(env: NodeJS.ProcessEnv, cwd: string): Type {
  const program = path.join(packageRoot(), 'bin', 'durable-rag.js');
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  return async (...args) => {
    console.error(`durable-rag ${args.join(' ')}`);
    return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
  };
}
