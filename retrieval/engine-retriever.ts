/**
 * The common parts of all retrievers of search engines: search modes, rank fusion, and lookups by
 * id.
 */
import type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';
import { fuseByRank } from './fuse.js';
import { checkCount, FUSED_DEPTH, throwUnknownPassage } from './ranking.js';
import type { Retriever } from './retriever.js';

type Search = (count: number) => Promise<PassageRef[]>;

interface Engine extends Lookup {
  /** Number of passages; undefined if unknown. */
  passages?: number;
  byWords(query: string, count: number, signal: AbortSignal): Promise<PassageRef[]>;
  /**
   * Embeds the query, and returns the search by it. @throws Failure BadInput if the corpus has no
   * such vectors.
   */
  byVector(query: string, mode: SearchMode, signal: AbortSignal): Promise<Search>;
}

/**
 * Returns the retriever over a search engine. It searches by words (the default), by vectors, or by
 * both with fused ranks. An empty query finds nothing, and more passages than the corpus has are
 * not requested.
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
      return fuseByRank(lists).slice(0, wanted);
    },
    get: (ids) => lookUp(ids, engine),
  };
}

interface Lookup {
  /** Name of the corpus, for messages. */
  corpus: string;
  /** Maximum number of ids in one request. */
  idsAtOnce: number;
  /** Returns whether a text can be an id. @default any can */
  isId?(id: string): boolean;
  /** Returns the passages with the given ids; missing ones are left out. */
  read(ids: readonly string[]): Promise<readonly Passage[]>;
  /** Cache of passages that need not be read again. */
  cache?: PassageCache;
}

/**
 * Returns the passages with the given ids, in the order of the ids, repeats included: from the
 * cache if they are in it, otherwise read in batches and added to the cache.
 *
 * @throws Failure UnknownPassage if one does not exist.
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
  return ids.map((id) => found.get(id) ?? throwUnknownPassage(id, corpus));
}

/** A cache of passages by id, as `passageCache` returns it. */
export type PassageCache = ReturnType<typeof passageCache>;

/**
 * Returns an empty cache of passages by id.
 *
 * @param size Maximum number of passages; beyond it the least recently used is dropped.
 */
export function passageCache(size: number) {
  const kept = new Map<string, Passage>();

  /**
   * Adds a passage, or moves it to the end. A map keeps the order of insertion, so its first
   * passage is the least recently used.
   */
  function put(passage: Passage): void {
    kept.delete(passage.id);
    kept.set(passage.id, passage);
    const [oldest] = kept.keys();
    if (kept.size > size && oldest !== undefined) kept.delete(oldest);
  }

  return {
    put,
    get(id: string): Passage | undefined {
      const passage = kept.get(id);
      if (passage !== undefined) put(passage);
      return passage;
    },
  };
}
