/** Retrievers that somebody brings, beside the corpora of a search engine. */
import type { IndexedCorpora } from './corpora.js';
import type { Corpora, Retriever } from './retriever.js';

/** What a worker needs to know of corpora: to search one, and to say what it is. */
export interface DescribedCorpora extends Corpora {
  /** What there is to know of a corpus, for the manifest of a run. @throws Failure UnknownCorpus. */
  describe(name: string): Promise<Record<string, unknown>>;
}

/** @param own By name; one that the engine has as well is searched here. */
export function withOwnCorpora(
  engine: IndexedCorpora,
  own: Readonly<Record<string, Retriever>> = {},
): DescribedCorpora {
  const retrievers = new Map(Object.entries(own));
  return {
    open: async (name, mode) => retrievers.get(name) ?? engine.open(name, mode),
    describe: async (name) =>
      retrievers.has(name) ? { name, engine: 'own' } : { ...(await engine.describe(name)) },
  };
}
