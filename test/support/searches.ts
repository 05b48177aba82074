/** Corpora whose searches tests decide. */
import type { Passage } from '../../core/vocabulary.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { passages } from './ports.js';

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
