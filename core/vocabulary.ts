/** The field's terms, used throughout the project. Types only. */

/** A passage of a corpus: an id that is unique in the corpus, a title, and a text. */
export interface Passage {
  id: string;
  title: string;
  text: string;
}

/** A reference to a passage, passed instead of its text: id, title and retrieval score. */
export interface PassageRef {
  id: string;
  title: string;
  /** Score of the retriever; higher is better, and comparable within one search only. */
  score: number;
  /**
   * Id and score that the supplier of the passage gave it. For a passage of a corpus, the id of its
   * document; absent if that equals the passage's id.
   */
  own?: OwnReference | undefined;
}

/** The id and score that the supplier of a passage gave it, such as a caller's own retriever. */
export interface OwnReference {
  /** Its id; other texts may have the same one. */
  id?: string | undefined;
  /** Score of the retriever that found it; higher is better. */
  score?: number | undefined;
}

/** How a corpus is searched: by words (BM25), by vectors, or by both with ranks fused. */
export type SearchMode = 'bm25' | 'dense' | 'hybrid';

/** A question and its accepted answer, shown to the model as an example. */
export interface Demonstration {
  question: string;
  answer: string;
}

/**
 * A sub-query and its evidence: empty if nothing relevant was found, null if nothing was searched.
 */
export interface QueryEvidence {
  query: string;
  evidence: string | null;
}

/** An example of a cited answer, with the passages it cites. */
export interface CitedDemonstration {
  question: string;
  /** Passages that the numbers in the answer cite. */
  passages: Omit<Passage, 'id'>[];
  answer: string;
}
