/** Stores the texts of passages that imported runs contain. */
import { sha256Of } from '../core/sha256.js';
import { deleteAll } from '../stores/inventory.js';
import type { KeyValueStore } from '../stores/key-value-store.js';

/** A store of the texts of passages of imported runs, as `importedTexts` returns it. */
export type ImportedTexts = ReturnType<typeof importedTexts>;

/**
 * Returns a store of the texts of passages of imported runs, by run and passage id: `keep` stores
 * a text, `get` returns a map from ids to the texts that are stored, and `remove` deletes those of
 * a run. Each run has its own texts, because two runs may have different texts under one id.
 */
export function importedTexts(store: KeyValueStore) {
  return {
    keep: (run: string, id: string, text: string): Promise<void> => store.set(keyOf(run, id), text),
    async get(run: string, ids: readonly string[]): Promise<Map<string, string>> {
      const found = await Promise.all(
        ids.map(async (id) => [id, await store.get(keyOf(run, id))] as const),
      );
      return new Map(found.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])));
    },
    remove: (run: string): Promise<void> => deleteAll(store, prefixOf(run)),
  };
}

/** Returns the prefix of a run's keys; a run's name contains no slash. */
function prefixOf(run: string): string {
  return `imported:${run}/`;
}

/**
 * Returns the key of a text. The id is hashed, since keys are limited to 200 characters and ids are
 * not.
 */
function keyOf(run: string, id: string): string {
  return prefixOf(run) + sha256Of(id, 32);
}
