/** Finds a Java that runs Elasticsearch: on the machine, or downloaded. */
import { chmod, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JAVA } from './artifacts.js';
import { type FetchContext, obtainArtifact } from './fetch.js';
import { findProgram } from './find-program.js';
import { SetupError } from './setup-error.js';

/** Versions that Elasticsearch 9.2 runs on: it requires 21, and knows none newer than 25. */
const OLDEST = 21;
const NEWEST = 25;

/** Folders in which systems install Javas that are not on the PATH. */
const FOLDERS = [
  { folder: '/usr/lib/jvm', inside: '' },
  { folder: '/Library/Java/JavaVirtualMachines', inside: 'Contents/Home' },
];

/**
 * A Java installation that runs Elasticsearch: its folder, its version, and whether it has the
 * processor's vector instructions.
 */
export interface Java {
  /** The folder with bin/java. */
  home: string;
  /** Version, such as `25.0.3`. */
  version: string;
  /** Whether it has the processor's vector instructions (module jdk.incubator.vector). */
  vectors: boolean;
}

/**
 * Returns a Java installation that runs Elasticsearch (version 21 to 25): from JAVA_HOME, the PATH
 * or the system's folders; if none fits, one is downloaded.
 *
 * @throws {SetupError} with what was tried and what to install.
 */
export async function obtainJava(context: FetchContext): Promise<Java> {
  const found = await findJava(await candidates(context.env));
  if (found !== undefined) return found;
  const home = dirname(dirname(await obtainArtifact(JAVA, context)));
  // Wheels are unpacked without their permissions.
  await chmod(join(home, 'lib/jspawnhelper'), 0o755).catch(() => {});
  const java = await findJava([home]);
  if (java === undefined)
    throw new SetupError(`The Java in ${home} is damaged: remove that folder.`);
  return java;
}

/**
 * Returns the first Java installation among these folders that runs Elasticsearch: whose file
 * `release` names a version from 21 to 25. Undefined if there is none.
 *
 * @param homes Folders that may contain bin/java.
 */
export async function findJava(homes: readonly string[]): Promise<Java | undefined> {
  for (const home of homes) {
    const release = await readFile(join(home, 'release'), 'utf8').catch(() => '');
    const version = /^JAVA_VERSION="([^"]+)"/m.exec(release)?.[1] ?? '';
    const major = Number.parseInt(version, 10);
    if (!(major >= OLDEST && major <= NEWEST)) continue;
    return { home, version, vectors: /^MODULES=.*\bjdk\.incubator\.vector\b/m.test(release) };
  }
  return undefined;
}

/** Returns the folders in which a Java may be installed, the most specific first. */
async function candidates(env: NodeJS.ProcessEnv): Promise<string[]> {
  const onPath = await findProgram('java', env);
  const installed = await Promise.all(
    FOLDERS.map(async ({ folder, inside }) => {
      const names = await readdir(folder).catch(() => []);
      return names.sort().map((name) => join(folder, name, inside));
    }),
  );
  return [
    ...(env.JAVA_HOME ? [env.JAVA_HOME] : []),
    ...(onPath === undefined ? [] : [dirname(dirname(await realpath(onPath)))]),
    ...installed.flat(),
  ];
}
