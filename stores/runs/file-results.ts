/** Stores results as JSON files in a folder, one for each key. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import { readJson, writeJson } from './json-file.js';

const DAMAGED = 'Delete it and start again: its question is then asked again.';

/**
 * Returns a store of JSON values by key, such as the answers of a run: functions that put one, get
 * one, and return an array of all, in no particular order and without their keys. Each value is a
 * file in a folder, spread over up to 256 subfolders.
 */
export function fileResults<T>(folder: string) {
  const fileOf = (key: string) => join(folder, sha256Of(key, 2), `${safeFileName(key)}.json`);
  return {
    /** Stores a result, replacing one of the same key; resolves once it survives a crash. */
    put: (key: string, result: T) => writeJson(fileOf(key), result),
    /**
     * Returns the result of a key; undefined if there is none.
     *
     * @throws Failure Damaged naming the file if it is damaged.
     */
    get: (key: string) => readJson<T>(fileOf(key), DAMAGED),
    /** Returns all results. @throws Failure Damaged naming the file if one is damaged. */
    async all(): Promise<T[]> {
      const files = (await readdir(folder, { recursive: true }).catch(undefinedIfMissing)) ?? [];
      const read = files.filter((file) => file.endsWith('.json'));
      const found = await Promise.all(read.map((file) => readJson<T>(join(folder, file), DAMAGED)));
      return found.filter((one) => one !== undefined);
    },
  };
}

/**
 * Returns a unique, readable name for a key that is valid in file names and workflow ids: the first
 * 60 characters of the key, with hyphens in place of all but letters and digits (A to Z, 0 to 9),
 * and a hash of the whole key.
 */
export function safeFileName(key: string): string {
  const readable = key.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  return `${readable}-${sha256Of(key, 12)}`;
}
