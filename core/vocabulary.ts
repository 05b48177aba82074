/** The field's terms, used throughout the project. Types only. */

/** A text that a retriever can return. Its id is unique within its corpus. */
export interface Passage {
  id: string;
  title: string;
  text: string;
}

/**
 * A reference to a passage, passed instead of it: id, title and retrieval score, never the text.
 */
export interface PassageRef {
  id: string;
  title: string;
  /** Score of the retriever; higher is better, and comparable within one search only. */
  score: number;
  /**
   * Id and score given by the supplier of the passage. For a passage of a corpus, its document's
   * id; absent if that is the passage's id.
   */
  own?: OwnReference | undefined;
}

/** A supplied passage's own id and score, by which it can be joined with its corpus. */
export interface OwnReference {
  /** Its id; other texts may have the same one. */
  id?: string | undefined;
  /** Score of the retriever that found it; higher is better. */
  score?: number | undefined;
}

/** How a corpus is searched: by words, by vectors, or by both joined by rank. */
export type SearchMode = 'bm25' | 'dense' | 'hybrid';

/** A question and its accepted answer, shown to the model as an example. */
export interface Demonstration {
  question: string;
  answer: string;
}

/**
 * A query and its evidence, which is empty if nothing was found, and null if nothing was searched.
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
