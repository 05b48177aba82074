/** The activities of a clustering job, as its workflow knows them. Types only. */

import type { SetOrigin } from '../../core/demonstration-sets.js';
import type { Task } from '../../core/task.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type { DemonstrationSetRef } from '../../steps/other.js';
import type { ClusterInput, ClusterJob } from '../cluster-job.js';
import type { CallBounds, EmbeddingOutput } from './calls.js';

/** Those that cost nothing. */
export interface ClusterActivities {
  collectTrainQuestions(input: ClusterInput): Promise<CollectedQuestions>;
  /** Gives the id of the document; null when the search found nothing. */
  findDocument(input: OnPage & { corpus: string }, bounds: CallBounds): Promise<string | null>;
  keepPairs(input: KeepPairsInput): Promise<KeptPairs>;
  clusterPairs(input: ClusterPairsInput): Promise<ClusteredPairs>;
}

export interface PaidClusterActivities {
  /** The id of the document is the value; null when it could not be read. */
  draftDocument(input: OnPage & { task: Task }, call: SentCall): Promise<StepOutput<string | null>>;
  /** Gives how many pairs there were to embed. */
  embedPairs(input: EmbedPairsInput, bounds: CallBounds): Promise<EmbeddingOutput<number>>;
}

export interface CollectedQuestions {
  job: ClusterJob;
  questions: number;
  pages: { id: string; questions: number }[];
  /** What the file was called. */
  source: string;
  /** Of the content of the data set; hexadecimal. */
  sha256: string;
  /** The model that writes documents where the job names none. */
  defaultModel: string;
}

export interface KeepPairsInput {
  page: string;
  /** Ids, one for each question of the page; null where there is none. */
  documents: (string | null)[];
  onlyWithAnswer: boolean;
}

export interface KeptPairs {
  id: string;
  pairs: number;
  withoutAnswer: number;
}

export interface ClusterPairsInput {
  name: string;
  pages: string[];
  origin: Omit<SetOrigin, 'embeddingModel'>;
}

export interface ClusteredPairs extends DemonstrationSetRef {
  sizes: number[];
  origin: SetOrigin;
}

export interface EmbedPairsInput {
  /** Id of the page of pairs. */
  pairs: string;
  from: number;
  count: number;
}

/** One question of a page. */
export interface OnPage {
  page: string;
  /** Position on it. */
  k: number;
}
