/** Demonstration sets: clusters of question-document pairs (GenRead 3.2.2). Types only. */

/** A question with a document about it, shown as an example of how to write documents. */
export interface QuestionDocument {
  question: string;
  document: string;
}

/**
 * The origin of a demonstration set: the run that wrote its documents, and how they were clustered
 * and sampled.
 */
export interface SetOrigin {
  /** Name of the run whose questions and documents were clustered. */
  run: string;
  /** Method of the run. */
  method: string;
  /** Model of the embeddings; null if the pairs were drawn without clustering. */
  embeddingModel: string | null;
  /**
   * Set if the pairs were drawn from all pairs; absent if each group was drawn from its own
   * cluster.
   */
  drawnFrom?: 'allPairs';
  /** Requested number of clusters, K. */
  clusters: number;
  /** Number of pairs sampled from each cluster, n. */
  pairs: number;
  seed: number;
  /** File name of the questions. */
  questions: string;
  /** SHA-256 of the uncompressed lines of that file, in hexadecimal digits. */
  questionsHash: string;
}

/** A cluster of question-document pairs (GenRead 3.2.2), with the pairs sampled from it. */
export interface Cluster {
  /** Number of pairs in the cluster. */
  size: number;
  /** The sampled pairs. */
  pairs: QuestionDocument[];
}

/** A stored set of clusters, each of which supplies the demonstrations of one GenRead prompt. */
export interface DemonstrationSet {
  /** Origin of the set. */
  origin: SetOrigin;
  /** Number of pairs that were clustered. */
  size: number;
  clusters: Cluster[];
}
