/** The interface of retrievers: search passages, and get them by id. */
import type { Passage, PassageRef, SearchMode } from '../core/vocabulary.js';

/** A retriever over one corpus: it finds passages for a query, and returns passages by id. */
export interface Retriever {
  /**
   * Returns references to the k passages that match a query best, best first; fewer if fewer match.
   * The query is plain text: quotes and operators have no meaning. Modes other than bm25, the
   * default, need an embedding model and a corpus embedded with it. `signal` aborts the search.
   *
   * @throws Failure BadInput if the corpus or the model does not fit the mode; UnknownCorpus if the
   * corpus was deleted; failures of a server.
   */
  search(query: string, k: number, mode?: SearchMode, signal?: AbortSignal): Promise<PassageRef[]>;
  /**
   * Returns the passages with the given ids, in the order of the ids.
   *
   * @throws Failure UnknownPassage if an id is not in the corpus.
   */
  get(ids: readonly string[]): Promise<Passage[]>;
}

/**
 * The corpora that a worker can search: a function opens one by name, or throws if there is none.
 */
export interface Corpora {
  /**
   * Returns the retriever of a corpus, which always searches its current build. A name from
   * `pinnedCorpus` opens one build, as long as that exists.
   *
   * @param mode Mode of later searches, so that an unsuitable corpus is refused before anything is
   * paid.
   * @throws Failure UnknownCorpus with the existing names and how to build one; BadInput if the
   * corpus cannot be searched in this mode.
   */
  open(name: string, mode?: SearchMode): Promise<Retriever>;
}

/**
 * Returns the text of a passage that is searched and embedded: its title, a line break, and its
 * text. With an empty title it begins with the line break.
 */
export function passageText({ title, text }: Pick<Passage, 'title' | 'text'>): string {
  return `${title}\n${text}`;
}
