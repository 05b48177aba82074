/** Which files of its machine a worker reads and writes for those who start workflows. */
import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { Failure } from '../methods/failure.js';
import { homeFolder } from './home.js';
import { packageRoot } from './package-root.js';

/** The variable that names the folders, as messages call it. */
const ALLOWED_FOLDERS = 'DURABLE_RAG_ALLOWED_FOLDERS';

export interface AllowedFiles {
  /**
   * The path itself, without links, of a file or folder that need not be there.
   *
   * @param what What names it, as a person calls it: for the message.
   * @throws Failure BadInput for what no file system takes as a path; Permission for one that is, or leads, outside of the allowed folders; nothing
   *   is told about it, not even whether it is there.
   */
  resolve(path: string, what: string): Promise<string>;
}

/** Those in these folders and below; a file stands for itself. Relative paths are seen from here. */
export function allowedFiles(roots: readonly string[]): AllowedFiles {
  return {
    async resolve(path, what) {
      if (path.includes('\0')) {
        throw new Failure('BadInput', `The ${what} ${JSON.stringify(path)} holds a null byte.`);
      }
      const real = await withoutLinks(resolve(path));
      for (const root of roots) {
        if (isWithin(await withoutLinks(resolve(root)), real)) return real;
      }
      throw new Failure(
        'Permission',
        `The ${what} ${basename(path)} is not in a folder that this worker may use. Put it there, or add its folder to ${ALLOWED_FOLDERS} of the worker (where that is not set: the folder it was started in, and its home) and restart it.`,
      );
    },
  };
}

/**
 * The folders that a worker may use: those that are named, else those of the environment, written as
 * PATH is, else the folder it was started in, unless that is the root of the file system. Its home
 * and the samples of the package are among them either way.
 */
export function allowedFolders(
  env: NodeJS.ProcessEnv,
  named?: readonly string[],
  started = process.cwd(),
): string[] {
  const set = (env[ALLOWED_FOLDERS] ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = parse(started).root === started ? [] : [started];
  const chosen = named ?? (set.length > 0 ? set : usual);
  return [...chosen, homeFolder(env), join(packageRoot(), 'samples')];
}

/** As realpath; of what is not there the nearest folder above that is. */
async function withoutLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await withoutLinks(above), basename(path));
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path);
}
