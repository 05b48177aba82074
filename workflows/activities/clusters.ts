/** Types of a clustering job's activities, for its workflow. */

import type { RunSpec } from '../../core/run/input.js';
import type { TenantShare } from '../../core/tenants.js';
import type { ClusterInput, ClusterJob, ClusterSummary } from '../cluster-job.js';
import type { CallBounds, EmbeddingRow } from './calls.js';

/** Activities that cost nothing. */
export interface ClusterActivities {
  openClusterJob(input: ClusterInput): Promise<OpenedClusterJob>;
  clusterPairs(job: ClusterJob): Promise<Omit<ClusterSummary, 'name' | 'usage'>>;
}

/** Activities that cost money. */
export interface PaidClusterActivities {
  embedPairs(input: PairsOnPage, bounds: CallBounds): Promise<EmbeddingRow<EmbeddedPage>>;
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
