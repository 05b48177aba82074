/** Programs of this machine: where they are, and what they say. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Returns the path of an executable file of this name on `env.PATH`, or undefined. */
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

/** What the programs of the local stack see of our environment: what they run by, and no key. */

/** For any program: where programs, libraries, temporary files and certificates are, and who asks. */
const ANY =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|DYLD_\w+|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|CONDA_PREFIX|JAVA_HOME|SSL_CERT_(?:FILE|DIR)|CUDA_VISIBLE_DEVICES|OMP_NUM_THREADS|GOGC|GOMEMLIMIT|GOMAXPROCS|LLAMA_ARG_\w+|XDG_(?:CACHE|CONFIG|DATA)_HOME|SYSTEMROOT)$/i;

/** For one that fetches: the way out, and which index pip asks. Both may hold a password. */
const FETCHING = /^(?:(?:https?|all|no)_proxy|PIP_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NETRC)$/i;

/** For npm: which registry it asks, and with what. */
const OF_NPM = /^(?:npm_config_|NODE_EXTRA_CA_CERTS$)/i;

const only =
  (...given: readonly RegExp[]) =>
  (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
    Object.fromEntries(
      Object.entries(env).filter(([name]) => given.some((names) => names.test(name))),
    );

/** For servers and compilers, which have nothing to fetch. */
export const childEnvironment = only(ANY);
/** For pip. */
export const fetchingEnvironment = only(ANY, FETCHING);
export const npmEnvironment = only(ANY, FETCHING, OF_NPM);
