/** The retriever over an engine that searches by words and by vectors, and reads passages by id. */
import type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';
import { fuse } from './fuse.js';
import type { PassageCache } from './passage-cache.js';
import { checkCount, FUSED_DEPTH, unknownPassage } from './ranking.js';
import type { Retriever } from './retriever.js';

type Search = (count: number) => Promise<PassageRef[]>;

interface Engine extends Lookup {
  /** Number of passages; undefined if unknown. */
  passages?: number;
  byWords(query: string, count: number, signal: AbortSignal): Promise<PassageRef[]>;
  /** Embeds the query. @throws Failure BadInput when the corpus or the model does not fit. */
  byVector(query: string, mode: SearchMode, signal: AbortSignal): Promise<Search>;
}

/**
 * Returns the retriever over an engine. It searches by words, which is the default, by vectors, or
 * by both, and then joins the two lists by their ranks. An empty query finds nothing.
 */
export function engineRetriever(engine: Engine): Retriever {
  const { passages = Number.POSITIVE_INFINITY } = engine;
  return {
    async search(query, k, mode = 'bm25', signal = new AbortController().signal) {
      checkCount(k);
      signal.throwIfAborted();
      if (query.trim() === '') return [];
      const wanted = Math.min(k, passages);
      if (mode === 'bm25') return engine.byWords(query, wanted, signal);
      const byVector = await engine.byVector(query, mode, signal);
      if (mode === 'dense') return byVector(wanted);
      const depth = Math.min(Math.max(k, FUSED_DEPTH), passages);
      const lists = await Promise.all([engine.byWords(query, depth, signal), byVector(depth)]);
      return fuse(lists).slice(0, wanted);
    },
    get: (ids) => lookUp(ids, engine),
  };
}

interface Lookup {
  /** Name of the corpus, for messages. */
  corpus: string;
  /** Ids asked for in one request. */
  idsAtOnce: number;
  /** Tells whether a text can be an id here. @default any */
  isId?(id: string): boolean;
  /** Returns those of the passages that there are. */
  read(ids: readonly string[]): Promise<readonly Passage[]>;
  /** Has passages that need not be read. */
  cache?: PassageCache;
}

/**
 * Returns the passages in the order asked. @throws Failure UnknownPassage when one is not there.
 */
export async function lookUp(
  ids: readonly string[],
  { corpus, idsAtOnce, isId = () => true, read, cache }: Lookup,
): Promise<Passage[]> {
  const found = new Map(ids.map((id) => [id, cache?.get(id)]));
  const missing = [...found.keys()].filter((id) => !found.get(id) && isId(id));
  for (let start = 0; start < missing.length; start += idsAtOnce) {
    for (const passage of await read(missing.slice(start, start + idsAtOnce))) {
      found.set(passage.id, passage);
      cache?.put(passage);
    }
  }
  return ids.map((id) => found.get(id) ?? unknownPassage(id, corpus));
}
