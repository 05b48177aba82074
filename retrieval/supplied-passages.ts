import { z } from 'zod';
import { Failure } from '../core/failure.js';
import { contentHash } from '../core/sha256.js';
import type { OwnReference, Passage, PassageRef } from '../core/vocabulary.js';
import type { KeyValueStore } from '../stores/key-value-store.js';

/** A passage that a caller supplies with a question. */
export interface SuppliedPassage {
  title?: string | undefined;
  text: string;
  /**
   * The caller's id, stored in addition to an id derived from the content, since two questions may
   * give one id to different texts.
   */
  id?: string | undefined;
  /** The score of the retriever that found it, higher is better. */
  score?: number | undefined;
}

/**
 * A store of the passages that callers supply with their questions, as `passageStore` returns it.
 */
export type PassageStore = ReturnType<typeof passageStore>;

const contentSchema = z.object({ title: z.string(), text: z.string() });

/**
 * Returns a store of the passages that callers supply with their questions, in a key-value store
 * that client and workers share: `put` stores passages and returns references to them, and `get`
 * returns the passages of ids.
 */
export function passageStore(store: KeyValueStore) {
  return {
    /**
     * Stores passages and returns their references in the given order, with their own ids and
     * scores. The score is their own if each has one, otherwise 1/rank. Passages with equal title
     * and text are stored and listed once, at their first place.
     *
     * @throws Failure BadInput if a passage has no text.
     */
    async put(passages: readonly SuppliedPassage[]): Promise<PassageRef[]> {
      const distinct = new Map<string, Passage & { own: OwnReference }>();
      for (const passage of passages.map(withId)) {
        if (!distinct.has(passage.id)) distinct.set(passage.id, passage);
      }
      const areScored = [...distinct.values()].every(({ own }) => own.score !== undefined);
      await Promise.all(
        // An existing one is written again, so that it counts as recent and is not pruned
        // meanwhile.
        [...distinct.values()].map(({ id, title, text }) =>
          store.set(passageKey(id), JSON.stringify({ title, text })),
        ),
      );
      return [...distinct.values()].map(({ id, title, own }, position) => ({
        id,
        title,
        score: (areScored ? own.score : undefined) ?? 1 / (position + 1),
        ...(Object.keys(own).length > 0 && { own }),
      }));
    },

    /** Returns the texts as `Retriever.get` does. */
    get: (ids: readonly string[]): Promise<Passage[]> =>
      Promise.all(
        ids.map(async (id) => {
          const stored = await store.get(passageKey(id));
          if (stored === undefined) throw notStored(id);
          return { id, ...contentSchema.parse(JSON.parse(stored)) };
        }),
      ),
  };
}

function withId(
  { title = '', text, id, score }: SuppliedPassage,
  position: number,
): Passage & { own: OwnReference } {
  if (text.trim() === '') {
    throw new Failure('BadInput', `passages[${position}].text is empty: give the passage's text.`);
  }
  const own = { ...(id !== undefined && { id }), ...(score !== undefined && { score }) };
  return { id: contentId(title, text), title, text, own };
}

/** Returns the id of a text, the same everywhere: 132 bits of SHA-256. */
function contentId(title: string, text: string): string {
  return `p-${contentHash(JSON.stringify([title, text]), 22)}`;
}

/**
 * Returns the key under which the key-value store has a passage that came with a question.
 *
 * @param id Id of the passage.
 */
export function passageKey(id: string): string {
  return `${PASSAGE_KEY_PREFIX}${id}`;
}

/** Beginning of the keys of supplied passages in the key-value store. */
export const PASSAGE_KEY_PREFIX = 'passage:';

function notStored(id: string): Failure {
  return new Failure(
    'UnknownText',
    `No supplied passage is stored under ${JSON.stringify(id)}: client and workers must use the ` +
      'same store, and what is in it must not be deleted while its questions run.',
  );
}
