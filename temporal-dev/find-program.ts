/** Looks for a program on the PATH. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

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
