/** Installs the embedded search engine into the home folder, unless it is installed. */
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withLock } from '../files/lock.js';
import {
  fetchedFolder,
  installCommand,
  isInstalled,
  OPTIONAL_PARTS,
} from '../stores/optional-parts.js';
import { packageRoot } from '../stores/package-root.js';
import { runToEnd } from './child.js';
import type { FetchContext } from './fetch.js';
import { findProgram, npmEnvironment } from './find-program.js';
import { SetupError } from './setup-error.js';

/** Name, among the optional parts, of the embedded search engine, which the local stack needs. */
export const SEARCH_ENGINE_PART = 'lancedb';
const PART = 'Search';

/**
 * Returns the path of the folder with the package.json and the package-lock.json from which npm
 * installs the search engine. The build writes them.
 */
export function partLockFolder(): string {
  return join(packageRoot(), 'dist', 'part-locks', SEARCH_ENGINE_PART);
}

/**
 * Installs the embedded search engine with npm into the home folder, unless it is installed. npm
 * checks each package against the hash in the lock file.
 *
 * @throws {SetupError} with npm's own message and the command to run if it cannot be downloaded.
 * @throws The reason of the context's signal if aborted.
 */
export async function installSearchEngine({ env, reporter, signal }: FetchContext): Promise<void> {
  if (await isInstalled(SEARCH_ENGINE_PART)) return;
  const folder = fetchedFolder(SEARCH_ENGINE_PART);
  const { title, megabytes } = OPTIONAL_PARTS[SEARCH_ENGINE_PART];
  const staging = `${folder}.partial`;
  await mkdir(dirname(folder), { recursive: true });
  const onWait = () => reporter.part(PART, 'waiting for another durable-rag that fetches it');
  await withLock(folder, { signal, onWait }, async () => {
    // Another process may have installed it in the meantime.
    if (await isInstalled(SEARCH_ENGINE_PART)) return;
    reporter.part(
      PART,
      `installing ${title.toLowerCase()} with npm, ${megabytes} MB, to ${folder}`,
    );
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(partLockFolder(), file), join(staging, file));
    }
    const npm = await findProgram('npm', env);
    if (npm === undefined) throw refused('npm is not on the PATH');
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', staging];
    const { code, output } = await runToEnd([npm], args, npmEnvironment(env), signal);
    if (code !== 0) throw refused(output.trim().split('\n').slice(-4).join('\n'));
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
  });
}

function refused(why: string): SetupError {
  return new SetupError(
    `${OPTIONAL_PARTS[SEARCH_ENGINE_PART].title} could not be installed: ${why}\nInstall it beside durable-rag: ${installCommand(SEARCH_ENGINE_PART)}`,
  );
}
