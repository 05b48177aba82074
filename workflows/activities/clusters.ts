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

/** Activities of a clustering job that cost money. */
export interface PaidClusterActivities {
  /** Embeds the pairs of a page of questions, and stores their vectors. */
  embedPairs(input: PairsOnPage, bounds: CallBounds): Promise<EmbeddingRow<EmbeddedPage>>;
}

/** A checked job, with the settings and the number of questions of its run. */
export interface OpenedClusterJob {
  job: ClusterJob;
  questions: number;
  limits: RunSpec['limits'];
  /** The tenant that pays; left out if there is none. */
  tenant?: TenantShare;
}

/** A page of question-document pairs of a run to embed. */
export interface PairsOnPage extends Pick<ClusterJob, 'onlyWithAnswer' | 'run'> {
  /** Place of the first question. */
  from: number;
}

/** The result of embedding a page of pairs. */
export interface EmbeddedPage {
  /** Number of questions read. */
  questions: number;
  /** Place of the next question; null after the last. */
  next: number | null;
}
