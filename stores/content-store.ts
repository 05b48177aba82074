/** Stores texts under ids derived from their content, so that equal texts are stored once. */
import { Failure } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import type { KeyValueStore } from './key-value-store.js';

/** A store of texts by ids derived from their content: see `contentStore`. */
export type ContentStore = ReturnType<typeof contentStore>;

/** Number of hexadecimal digits of an id: enough to be unique, and short in histories. */
const HEX_DIGITS = 24;

/** Returns the id of a text: "t-" and 24 hexadecimal digits of its SHA-256. */
export function contentId(text: string): string {
  return `t-${sha256Of(text, HEX_DIGITS)}`;
}

export function contentStore(store: KeyValueStore) {
  return {
    /** Stores a text; resolves with its id once it survives a crash. */
    async put(text: string): Promise<string> {
      const id = contentId(text);
      const key = `text:${id}`;
      if ((await store.get(key)) === undefined) await store.set(key, text);
      return id;
    },
    /** Returns a text. @throws Failure UnknownText if there is none under the id. */
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
