/**
 * Finds and runs programs of this machine, with only those environment variables that they need.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Returns the path of a program by its name, from the folders of `env.PATH`; undefined if no
 * executable file has that name.
 */
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
      // It is not in this folder.
    }
  }
  return undefined;
}

/**
 * Runs a program for at most a minute, and returns the text that it wrote to its standard output.
 *
 * @throws Error with its standard error if it exits with another code than 0, takes longer, or
 * cannot be started.
 */
export async function stdoutOf(
  program: string,
  args: readonly string[],
  env = childEnvironment(process.env),
): Promise<string> {
  return (await promisify(execFile)(program, args, { env, timeout: 60_000 })).stdout;
}

/** The environments of the programs of the local stack contain what they need, but no keys. */

/**
 * Variables for every program: paths of programs, libraries, temporary files and certificates, and
 * the user.
 */
const ANY =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|DYLD_\w+|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|CONDA_PREFIX|JAVA_HOME|SSL_CERT_(?:FILE|DIR)|CUDA_VISIBLE_DEVICES|OMP_NUM_THREADS|GOGC|GOMEMLIMIT|GOMAXPROCS|LLAMA_ARG_\w+|XDG_(?:CACHE|CONFIG|DATA)_HOME|SYSTEMROOT)$/i;

/** Variables for programs that download: proxies, and pip's index. Both may contain a password. */
const FETCHING = /^(?:(?:https?|all|no)_proxy|PIP_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NETRC)$/i;

/** Variables for npm: its registry and credentials. */
const OF_NPM = /^(?:npm_config_|NODE_EXTRA_CA_CERTS$)/i;

/** Returns a function that filters an environment by the names of its variables. */
const environmentOf =
  (...given: readonly RegExp[]) =>
  (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
    Object.fromEntries(
      Object.entries(env).filter(([name]) => given.some((names) => names.test(name))),
    );

/**
 * Returns those variables of an environment that a server or compiler of the local stack may have.
 * Keys and settings for downloads are not among them.
 */
export const childEnvironment = environmentOf(ANY);
/**
 * Returns those variables of an environment that pip may have: those of `childEnvironment`, and
 * those of proxies and package indexes.
 */
export const fetchingEnvironment = environmentOf(ANY, FETCHING);
/**
 * Returns those variables of an environment that npm may have: those of `fetchingEnvironment`, and
 * npm's own.
 */
export const npmEnvironment = environmentOf(ANY, FETCHING, OF_NPM);
