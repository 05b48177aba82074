/** Types of a clustering job's activities, for its workflow. */

import type { RunSpec } from '../../core/run/input.js';
import type { TenantShare } from '../../core/tenants.js';
import type { ClusterInput, ClusterJob, ClusterSummary } from '../cluster-job.js';
import type { CallBounds, EmbeddingRow } from './calls.js';

/** Activities of a clustering job that cost nothing. */
export interface ClusterActivities {
  /** Checks a job and its run, before anything is paid for. */
  openClusterJob(input: ClusterInput): Promise<OpenedClusterJob>;
  /** Clusters the embedded pairs and stores the demonstration set. */
  clusterPairs(job: ClusterJob): Promise<Omit<ClusterSummary, 'name' | 'usage'>>;
}

/** Activities of a clustering job that call the embedding model. */
export interface PaidClusterActivities {
  /** Embeds the pairs of a page of questions, and stores their vectors. */
  embedPairs(input: PairsOnPage, bounds: CallBounds): Promise<EmbeddingRow<EmbeddedPage>>;
}

/**
 * The checked input of a clustering job, with the limits, the tenant and the number of questions of
 * its run.
 */
export interface OpenedClusterJob {
  job: ClusterJob;
  questions: number;
  limits: RunSpec['limits'];
  /** The tenant that pays; left out if there is none. */
  tenant?: TenantShare;
}

/**
 * Input of `embedPairs`: the run whose question-document pairs are embedded, and the place to
 * continue at.
 */
export interface PairsOnPage extends Pick<ClusterJob, 'onlyWithAnswer' | 'run'> {
  /** Place of the first question. */
  from: number;
}

/** Result of `embedPairs`: the number of questions read, and the place of the next one. */
export interface EmbeddedPage {
  /** Number of questions read. */
  questions: number;
  /** Place of the next question; null after the last. */
  next: number | null;
}
