/** Corpora whose searches tests decide, and workers that search in their own process. */

import type { InProcessSources } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import type { Passage } from '../../core/vocabulary.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { fixedCorpora, passages } from './ports.js';

/** Passages that are found as `find` says: ids for a query, best first. */
export function corporaThatFind(
  find: (query: string) => readonly string[],
  texts: readonly Passage[] = passages,
): Corpora & { readonly queries: string[] } {
  const queries: string[] = [];
  const known = (ids: readonly string[]) =>
    ids.flatMap((id) => texts.filter((passage) => passage.id === id));
  return {
    queries,
    async open() {
      return {
        async search(query, k) {
          queries.push(query);
          const found = known(find(query)).slice(0, k);
          return found.map(({ id, title }, i) => ({ id, title, score: 10 - i }));
        },
        get: async (ids) => known(ids),
      };
    },
  };
}

export const inProcess: InProcessSources = { corpus: () => true, passages: true };

/** Corpora whose first searches fail, and a number for each search there was. */
export function failingSearches(times: number): { corpora: Corpora; searched: number[] } {
  const searched: number[] = [];
  const open: Corpora['open'] = async (...name) => {
    const { search, get } = await fixedCorpora().open(...name);
    return {
      get,
      async search(...query) {
        searched.push(searched.length);
        if (searched.length > times) return search(...query);
        throw new Failure('Connection', 'It is away.', { retryAfterMs: 1 });
      },
    };
  };
  return { corpora: { open }, searched };
}
