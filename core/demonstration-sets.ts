/** Demonstration sets: clusters of question-document pairs (GenRead 3.2.2). Types only. */
import type { Task } from './task.js';

/** A question with a document about it, shown as an example of how to write documents. */
export interface QuestionDocument {
  question: string;
  document: string;
}

/** How a set was made, in enough detail to repeat it. */
export interface SetOrigin {
  task: Task;
  documents: 'generated' | 'retrieved';
  /** Corpus of retrieved documents; null if they were generated. */
  corpus: string | null;
  /** Models that wrote the documents, as the provider names them; empty if they were retrieved. */
  models: string[];
  prompts: string[];
  /** Null if the pairs were drawn from all of them, so that none was embedded. */
  embeddingModel: string | null;
  /** Absent if each set of pairs was drawn from a cluster of its own. */
  drawnFrom?: 'allPairs';
  /** K, the number of clusters asked for. */
  clusters: number;
  /** n, pairs sampled from each cluster. */
  pairs: number;
  seed: number;
  sampleSeed: number;
  /** File name of the train questions. */
  questions: string;
  /** SHA-256 of its unpacked lines, in hexadecimal digits. */
  questionsHash: string;
}

/** A cluster of question-document pairs (GenRead 3.2.2), with the pairs sampled from it. */
export interface Cluster {
  /** Number of pairs in the cluster. */
  size: number;
  /** The sampled pairs. */
  pairs: QuestionDocument[];
}

/**
 * A stored demonstration set: the clusters from which GenRead's prompts take their demonstrations.
 */
export interface DemonstrationSet {
  /** How the set was made. */
  origin: SetOrigin;
  /** Number of pairs that were clustered. */
  size: number;
  clusters: Cluster[];
}
