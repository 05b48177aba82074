/** The retriever port: the same two questions to every engine. */
import type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';

/** Searches one corpus, and gives the texts of its passages. */
export interface Retriever {
  /**
   * Returns the k passages nearest to the query, best first; fewer if the corpus has fewer matches.
   * The query is text, never syntax: quotes and operators have no meaning. Modes other than the
   * default, bm25, need an embedding model and a corpus embedded with it; `signal` aborts the
   * embedding of the query, and a search on another machine.
   *
   * @throws Failure BadInput if the corpus or the model does not fit the mode; UnknownCorpus if the
   * corpus was deleted; failures of a server.
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
   * Opens a corpus by name: the current build, and later ones. A name from `pinnedCorpus` opens its
   * build, for as long as that exists.
   *
   * @param mode Mode of the later searches, so that a misfit is found before anything is paid.
   * @throws Failure UnknownCorpus with the existing names and how to build one; BadInput if the
   * corpus cannot be searched in this mode.
   */
  open(name: string, mode?: SearchMode): Promise<Retriever>;
}

/** Returns title, line break, text: the same everywhere, so that a passage is embedded once. */
export function passageText({ title, text }: Pick<Passage, 'title' | 'text'>): string {
  return `${title}\n${text}`;
}
