/** The retriever port: the same two questions to every engine. */
import type { Passage, PassageRef } from '../methods/vocabulary.js';

export interface Retriever {
  /**
   * The k passages nearest to the query, best first; fewer when the corpus has fewer matches.
   * The query is text, never syntax: quotes and operators have no meaning.
   */
  search(query: string, k: number): Promise<PassageRef[]>;
  /**
   * The passages with these ids, in the order asked.
   *
   * @throws Failure UnknownPassage when an id is not in the corpus.
   */
  get(ids: readonly string[]): Promise<Passage[]>;
}

export interface Corpora {
  /**
   * Opens a corpus by name.
   *
   * @throws Failure UnknownCorpus with the names there are and how to build one.
   */
  open(name: string): Promise<Retriever>;
}
