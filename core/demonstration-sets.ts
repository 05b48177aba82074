/** Demonstration sets: clusters of question-document pairs (GenRead 3.2.2). Types only. */
import type { Task } from './task.js';

/** A question with a document about it, shown as an example of how to write documents. */
export interface QuestionDocument {
  question: string;
  document: string;
}

/** How a demonstration set was made: its settings, models, seeds and questions. */
export interface SetOrigin {
  task: Task;
  documents: 'generated' | 'retrieved';
  /** Corpus of retrieved documents; null if they were generated. */
  corpus: string | null;
  /** Models that wrote the documents, as the provider names them; empty if they were retrieved. */
  models: string[];
  prompts: string[];
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
  sampleSeed: number;
  /** File name of the training questions. */
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
  /** How the set was made. */
  origin: SetOrigin;
  /** Number of pairs that were clustered. */
  size: number;
  clusters: Cluster[];
}
