/** Demonstration sets: clusters of question-document pairs (GenRead 3.2.2). Types only. */
import type { Task } from './task.js';

/** A question with a document on it, shown as an example of how documents are written. */
export interface QuestionDocument {
  question: string;
  document: string;
}

/** How a set was made: enough to make it again. */
export interface SetOrigin {
  task: Task;
  documents: 'generated' | 'retrieved';
  /** The corpus of retrieved documents; null when generated. */
  corpus: string | null;
  /** The models that wrote the documents, as the provider names them; none when retrieved. */
  models: string[];
  prompts: string[];
  embeddingModel: string;
  /** K as asked for. */
  clusters: number;
  /** n, pairs sampled from each cluster. */
  pairs: number;
  seed: number;
  sampleSeed: number;
  /** Base name of the file of train questions. */
  questions: string;
  /** SHA-256 of its lines, unpacked; hexadecimal. */
  questionsHash: string;
}

/** A cluster of GenRead's pairs. */
export interface Cluster {
  /** How many pairs fell into it. */
  size: number;
  /** The sampled ones. */
  pairs: QuestionDocument[];
}

/** The clusters that GenRead's prompts take their demonstrations from. */
export interface DemonstrationSet {
  origin: SetOrigin;
  /** How many pairs were clustered. */
  size: number;
  clusters: Cluster[];
}
