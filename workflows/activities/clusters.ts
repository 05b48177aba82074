/** Types of a clustering job's activities, for its workflow. */

import type { RunSpec } from '../../core/run/input.js';
import type { TenantShare } from '../../core/tenants.js';
<<<<<<< HEAD
import type { ClusterInput, ClusterJob, ClusterSummary } from '../cluster-job.js';
import type { CallBounds, EmbeddingOutput } from './calls.js';
=======
import type { SentCall } from '../../steps/call.js';
import type { OutputRow } from '../../steps/output-row.js';
import type { DemonstrationSetRef } from '../../steps/other.js';
import type { ClusterInput, ClusterJob } from '../cluster-job.js';
import type { CallBounds, EmbeddingRow } from './calls.js';
>>>>>>> 910a7667 (Leave out of a history what its call says, and counts of nothing)

/** Activities that cost nothing. */
export interface ClusterActivities {
  openClusterJob(input: ClusterInput): Promise<OpenedClusterJob>;
  clusterPairs(job: ClusterJob): Promise<Omit<ClusterSummary, 'name' | 'usage'>>;
}

/** Activities that cost money. */
export interface PaidClusterActivities {
<<<<<<< HEAD
  embedPairs(input: PairsOnPage, bounds: CallBounds): Promise<EmbeddingOutput<EmbeddedPage>>;
=======
  /** Returns the id of the document as value; null if it could not be read. */
  draftDocument(input: OnPage & { task: Task }, call: SentCall): Promise<OutputRow<string | null>>;
  /** Returns the number of pairs that were embedded. */
  embedPairs(input: EmbedPairsInput, bounds: CallBounds): Promise<EmbeddingRow<number>>;
>>>>>>> 910a7667 (Leave out of a history what its call says, and counts of nothing)
}

/** A checked job, and what it takes over from its run. */
export interface OpenedClusterJob {
  job: ClusterJob;
  questions: number;
  limits: RunSpec['limits'];
  /** The tenant that pays; left out if there is none. */
  tenant?: TenantShare;
}

export interface PairsOnPage extends Pick<ClusterJob, 'onlyWithAnswer' | 'run'> {
  /** Place of the first question. */
  from: number;
}

export interface EmbeddedPage {
  /** Questions read. */
  questions: number;
  /** Place of the next question; null after the last. */
  next: number | null;
}
