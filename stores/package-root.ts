/** Where this package lies, from a clone and from an install alike, and what version it is. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the folder that holds this package's package.json, and with it prompts/ and samples/. The
 * source and the compiled file lie at different depths, so it is looked for upwards.
 *
 * @throws Error when there is no package.json above this file: a broken install.
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

/** Returns the version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
