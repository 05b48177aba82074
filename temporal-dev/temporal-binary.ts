/** Finds the `temporal` program: on the PATH, in the cache, or fetched. */
import { TEMPORAL } from './artifacts.js';
import { type FetchContext, isFetched, obtain } from './fetch.js';
import { findProgram, outputOf } from './find-program.js';
import { SetupError } from './setup-error.js';

/** The first server with fairness keys and task queue settings that can change while it runs. */
const OLDEST_SERVER = [1, 29] as const;

export interface TemporalBinary {
  path: string;
  /** Where it comes from, for a person. */
  origin: string;
  /** Of the server inside it, such as `1.32.0`. */
  serverVersion: string;
}

/**
 * A `temporal` program that can run: the PATH's, the cached one, or the pinned one fetched.
 *
 * @throws {SetupError} that lists what was tried and what to install.
 */
export async function obtainTemporalBinary(context: FetchContext): Promise<TemporalBinary> {
  const { env, home, reporter } = context;
  const onPath = await findProgram('temporal', env);
  if (onPath !== undefined) {
    const serverVersion = await serverVersionOf(onPath);
    if (serverVersion !== undefined && isRecent(serverVersion)) {
      return { path: onPath, origin: `${onPath} (on the PATH)`, serverVersion };
    }
    reporter.warn(
      `${onPath} is not used: its server ${serverVersion ?? '(unknown version)'} is older than ${OLDEST_SERVER.join('.')}.`,
    );
  }

  const cached = await isFetched(TEMPORAL, home);
  const path = await obtain(TEMPORAL, context);
  const serverVersion = await serverVersionOf(path);
  if (serverVersion === undefined) {
    throw new SetupError(`${path} does not run on this machine.`);
  }
  return { path, origin: cached ? 'cached' : 'fetched', serverVersion };
}

/** Out of `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`. */
async function serverVersionOf(binary: string): Promise<string | undefined> {
  try {
    return /Server (\d+\.\d+\.\d+)/.exec(await outputOf(binary, ['--version']))?.[1];
  } catch {
    return undefined;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}
