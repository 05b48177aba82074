/** Stores texts under ids derived from their content, so that equal texts are stored once. */
import { Failure } from '../core/failure.js';
import { contentHash } from '../core/sha256.js';
import type { KeyValueStore } from './key-value-store.js';

/** A store of texts by ids derived from their content, as `contentStore` returns it. */
export type ContentStore = ReturnType<typeof contentStore>;

/** Returns the id of a text: "t-" and the first 16 characters of its SHA-256 in base64url. */
export function contentId(text: string): string {
  return `t-${contentHash(text)}`;
}

/**
 * Returns a store of texts in a key-value store: `put` stores a text and returns its id, and `get`
 * returns the text of an id. The id is derived from the content, so that equal texts are stored
 * once.
 */
export function contentStore(store: KeyValueStore) {
  return {
    /** Stores a text; resolves with its id once it survives a crash. */
    async put(text: string): Promise<string> {
      const id = contentId(text);
      const key = `text:${id}`;
      if ((await store.get(key)) === undefined) await store.set(key, text);
      return id;
    },
    /** Returns the text of an id. @throws Failure UnknownText if there is none. */
    async get(id: string): Promise<string> {
      const text = await store.get(`text:${id}`);
      if (text !== undefined) return text;
      throw new Failure(
        'UnknownText',
        `There is no text with the id ${id}: all workers must use the same store (DURABLE_RAG_STORE), and what is in it must not be deleted while it is in use.`,
      );
    },
  };
}
