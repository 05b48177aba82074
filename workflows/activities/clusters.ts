/** Types of a clustering job's activities, for its workflow. */

import type { SetOrigin } from '../../core/demonstration-sets.js';
import type { Task } from '../../core/task.js';
import type { TenantShare } from '../../core/tenants.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type { DemonstrationSetRef } from '../../steps/other.js';
import type { ClusterInput, ClusterJob } from '../cluster-job.js';
import type { CallBounds, EmbeddingOutput } from './calls.js';

/** Activities that cost nothing. */
export interface ClusterActivities {
  collectTrainQuestions(input: ClusterInput): Promise<CollectedQuestions>;
  /** Returns the id of the document; null if the search found nothing. */
  findDocument(input: OnPage & { corpus: string }, bounds: CallBounds): Promise<string | null>;
  keepPairs(input: KeepPairsInput): Promise<KeptPairs>;
  clusterPairs(input: ClusterPairsInput): Promise<ClusteredPairs>;
}

/** Activities that cost money. */
export interface PaidClusterActivities {
  /** Returns the id of the document as value; null if it could not be read. */
  draftDocument(input: OnPage & { task: Task }, call: SentCall): Promise<StepOutput<string | null>>;
  /** Returns the number of pairs that were embedded. */
  embedPairs(input: EmbedPairsInput, bounds: CallBounds): Promise<EmbeddingOutput<number>>;
}

export interface CollectedQuestions {
  job: ClusterJob;
  questions: number;
  pages: { id: string; questions: number }[];
  /** File name of the data set. */
  source: string;
  /** SHA-256 of the data set's content, in hexadecimal digits. */
  sha256: string;
  /** Model that writes documents if the job names none. */
  defaultModel: string;
  /** The tenant that pays; left out if there is none. */
  tenant?: TenantShare;
}

export interface KeepPairsInput {
  page: string;
  /** Document ids, one for each question of the page; null if it has none. */
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
  /** Id of a page of pairs. */
  pairs: string;
  from: number;
  count: number;
}

/** One question of a page. */
export interface OnPage {
  page: string;
  /** Position on the page, from 0. */
  k: number;
}
