/** Programs of this machine: where they are, and what they say. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.js';

/** The path of an executable file of this name on `env.PATH`, or undefined. */
export async function findProgram(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder === '' ? '.' : folder, name);
    try {
      await access(path, constants.X_OK);
      if ((await stat(path)).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * Runs a program to its end, which has a minute, and gives what it wrote to its standard output.
 *
 * @throws what it wrote to its standard error, where it fails.
 */
export async function outputOf(
  program: string,
  args: readonly string[],
  env = childEnvironment(process.env),
): Promise<string> {
  return (await promisify(execFile)(program, args, { env, timeout: 60_000 })).stdout;
}
