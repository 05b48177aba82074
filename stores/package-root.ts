/** Location and version of this package, in a clone and in an install. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of this package's root folder, which has package.json, prompts/ and samples/.
 * Searches upwards from this file, since source and built files are at different depths.
 *
 * @throws Error if there is no package.json above this file: a broken install.
 */
export function packageRoot(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) {
      throw new Error(`No package.json above ${start}: install durable-rag again.`);
    }
  }
}

/** Returns the version of durable-rag from its package.json. */
export function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
