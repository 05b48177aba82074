/** Results as files: one for each key, in a folder. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { absent } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import { readJson, writeJson } from './json-file.js';

const DAMAGED = 'Delete it and start again: its question is then asked again.';

/** Keeps JSON under `folder`, in up to 256 folders, so that none grows too large to list. */
export function fileResults<T>(folder: string) {
  const fileOf = (key: string) => join(folder, sha256Of(key, 2), `${fileName(key)}.json`);
  return {
    /** Resolves once the result survives a crash. One of the same key is replaced. */
    put: (key: string, result: T) => writeJson(fileOf(key), result),
    /** @throws Failure Damaged naming the file when it is damaged. */
    get: (key: string) => readJson<T>(fileOf(key), DAMAGED),
    /** @throws Failure Damaged naming the file when one is damaged. */
    async all(): Promise<T[]> {
      const files = (await readdir(folder, { recursive: true }).catch(absent)) ?? [];
      const read = files.filter((file) => file.endsWith('.json'));
      const found = await Promise.all(read.map((file) => readJson<T>(join(folder, file), DAMAGED)));
      return found.filter((one) => one !== undefined);
    },
  };
}

/** A name that is safe in files and workflow ids, that a person recognizes, and that is the key's own. */
export function fileName(key: string): string {
  const readable = key.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  return `${readable}-${sha256Of(key, 12)}`;
}
