/** The field's terms, used throughout the project. Types only. */

/**
 * A passage of a corpus: an id that is unique in the corpus, a title (may be empty), and a text.
 */
export interface Passage {
  id: string;
  title: string;
  text: string;
}

/** A reference to a passage by id, title and score, which is passed on instead of its text. */
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

/**
 * The id and score of a passage as its supplier gave them, such as a caller's own retriever or a
 * data set's file.
 */
export interface OwnReference {
  /** Its id; other texts may have the same one. */
  id?: string | undefined;
  /** Score of the retriever that found it; higher is better. */
  score?: number | undefined;
}

/**
 * The way in which passages are searched: by words ("bm25"), by vectors ("dense"), or by both with
 * ranks fused ("hybrid").
 */
export type SearchMode = 'bm25' | 'dense' | 'hybrid';

/** A question with its answer, shown to the model as an example. */
export interface Demonstration {
  question: string;
  answer: string;
}

/** A sub-query, and the text of the evidence that was found for it. */
export interface QueryEvidence {
  query: string;
  /** The evidence; empty if nothing relevant was found, null if nothing was searched. */
  evidence: string | null;
}

/** An example of an answer with citations, and the passages that it cites. */
export interface CitedDemonstration {
  question: string;
  /** The passages, in the order of the numbers by which the answer cites them. */
  passages: Omit<Passage, 'id'>[];
  answer: string;
}
