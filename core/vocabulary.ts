/** The field's terms, as every room of the project uses them. Types only. */

/** A text a retriever can return. The id is unique within its corpus. */
export interface Passage {
  id: string;
  title: string;
  text: string;
}

/** What travels in place of a passage: its id, title and retrieval score, never its text. */
export interface PassageRef {
  id: string;
  title: string;
  /** The retriever's own score, higher is better; comparable within one search only. */
  score: number;
  /**
   * As whoever supplied the passage names and scores it. For a passage of a corpus its document's id,
   * left out if that is the passage's id.
   */
  own?: OwnReference | undefined;
}

/** A supplied passage's own id and score, so that it can be joined with the corpus that it is of. */
export interface OwnReference {
  /** May be that of other texts too. */
  id?: string | undefined;
  /** The score of the retriever that found it, higher is better. */
  score?: number | undefined;
}

/** How a corpus is searched: by words, by the nearness of vectors, or by both joined by rank. */
export type SearchMode = 'bm25' | 'dense' | 'hybrid';

/** A question with its accepted answer, shown to the model as an example. */
export interface Demonstration {
  question: string;
  answer: string;
}

/**
 * A query with what was found out for it; the evidence is empty where nothing was, and null where
 * nothing was looked for.
 */
export interface QueryEvidence {
  query: string;
  evidence: string | null;
}

/** An example of a cited answer, with the passages it cites. */
export interface CitedDemonstration {
  question: string;
  /** What the numbers in the answer cite. */
  passages: Omit<Passage, 'id'>[];
  answer: string;
}
