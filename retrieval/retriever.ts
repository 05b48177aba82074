/** The retriever port: the same two questions to every engine. */
import type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';

/** Searches one corpus, and gives the texts of its passages. */
export interface Retriever {
  /**
   * Returns the k passages nearest to the query, best first; fewer when the corpus has fewer
   * matches. The query is text, never syntax: quotes and operators have no meaning. The modes other
   * than bm25, the default, need an embedding model and a corpus that was embedded with it;
   * `signal` aborts the embedding of the query, and a search on another machine.
   *
   * @throws Failure BadInput when the corpus or the model does not fit the mode; UnknownCorpus when
   *   the corpus was deleted; what a server fails with.
   */
  search(query: string, k: number, mode?: SearchMode, signal?: AbortSignal): Promise<PassageRef[]>;
  /**
   * Returns the passages with these ids, in the order asked.
   *
   * @throws Failure UnknownPassage when an id is not in the corpus.
   */
  get(ids: readonly string[]): Promise<Passage[]>;
}

/** The corpora that a worker can search, by their names. */
export interface Corpora {
  /**
   * Opens a corpus by name: the current build, and later ones. A name of `pinnedCorpus` opens its
   * build, for as long as that is kept.
   *
   * @param mode How it is going to be searched, so that a misfit is known before anything is paid.
   * @throws Failure UnknownCorpus with the names there are and how to build one, BadInput when the
   *   corpus cannot be searched in this mode.
   */
  open(name: string, mode?: SearchMode): Promise<Retriever>;
}
