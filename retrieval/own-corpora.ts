/** Adds custom retrievers to the corpora of a search engine. */
import { z } from 'zod';
import { checkReturned, portViolation } from '../core/returned.js';
import type { IndexedCorpora } from './lancedb/lance-corpora.js';
import type { Corpora, Retriever } from './retriever.js';

/** Corpora as workers need them: to search and to describe. */
interface DescribedCorpora extends Corpora {
  /** Returns the description of a corpus for a run's manifest. @throws Failure UnknownCorpus. */
  describe(name: string): Promise<Record<string, unknown>>;
}

/**
 * Returns an object that opens (`open`) and describes (`describe`) the corpora of a search engine
 * and those of custom retrievers, whose results are checked at each call.
 *
 * @param own Custom retrievers by the name of their corpus, which takes precedence over a corpus
 * of the engine.
 */
export function withOwnCorpora(
  engine: IndexedCorpora,
  own: Readonly<Record<string, Retriever>> = {},
): DescribedCorpora {
  const retrievers = new Map(
    Object.entries(own).map(([name, retriever]) => [name, checked(name, retriever)]),
  );
  return {
    open: async (name, mode) => retrievers.get(name) ?? engine.open(name, mode),
    describe: async (name) =>
      retrievers.has(name) ? { name, engine: 'own' } : { ...(await engine.describe(name)) },
  };
}

const passageRefs = z.array(z.object({ id: z.string(), title: z.string(), score: z.number() }));
const passageTexts = z.array(z.object({ id: z.string(), title: z.string(), text: z.string() }));

/** Returns a retriever whose results are checked, since histories and prompts contain them. */
function checked(name: string, retriever: Retriever): Retriever {
  const port = (method: string) => `Retriever.${method} of corpus "${name}"`;
  return {
    async search(query, k, mode, signal) {
      const found = await retriever.search(query, k, mode, signal);
      return checkReturned(port('search'), passageRefs, found);
    },
    async get(ids) {
      const found = checkReturned(port('get'), passageTexts, await retriever.get(ids));
      const odd = ids.findIndex((id, k) => found[k]?.id !== id);
      if (odd < 0 && found.length === ids.length) return found;
      throw portViolation(
        port('get'),
        `it returns the passages with the ids that were asked, in their order; ${found.length} came for ${ids.length}`,
      );
    },
  };
}
