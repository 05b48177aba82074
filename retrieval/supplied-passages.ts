/** Passages that came with a question: kept once, under an id made of their content. */
import { createHash } from 'node:crypto';
import { Failure } from '../methods/failure.js';
import type { Passage, PassageRef } from '../methods/vocabulary.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Retriever } from './retriever.js';

export interface SuppliedPassage {
  title?: string | undefined;
  text: string;
}

export interface PassageStore {
  /** Keeps the passages and gives references in the order given, the first scored highest. */
  put(passages: readonly SuppliedPassage[]): Promise<PassageRef[]>;
  /**
   * The passages with these ids, in the order asked.
   *
   * @throws Failure UnknownPassage when one is not in the store.
   */
  get(ids: readonly string[]): Promise<Passage[]>;
}

export function createPassageStore(store: KeyValueStore): PassageStore {
  return {
    put: (passages) =>
      Promise.all(
        passages.map(async ({ title = '', text }, rank) => {
          const id = contentId(title, text);
          await store.set(id, JSON.stringify({ id, title, text }));
          return { id, title, score: 1 / (rank + 1) };
        }),
      ),
    get: (ids) =>
      Promise.all(
        ids.map(async (id) => {
          const kept = await store.get(id);
          if (kept !== undefined) return JSON.parse(kept) as Passage;
          throw new Failure(
            'UnknownPassage',
            `Passage ${id} came with a question but is not in this worker's store; workers that share a task queue must share DURABLE_RAG_STORE.`,
          );
        }),
      ),
  };
}

/** A retriever that finds the supplied passages in the order given, whatever the query. */
export function suppliedRetriever(refs: readonly PassageRef[], store: PassageStore): Retriever {
  return {
    search: async (_, k) => refs.slice(0, k),
    get: (ids) => store.get(ids),
  };
}

function contentId(title: string, text: string): string {
  return `p-${createHash('sha256').update(`${title}\n${text}`).digest('hex').slice(0, 24)}`;
}
