/** What activities need of the Temporal server; types only. */
import type { Ending } from '../../methods/batch/batch.js';

/** The rate limits that the Temporal server keeps for task queues. */
export interface QueueRates {
  /**
   * Starts a minute over all workers of a queue; null for no limit.
   *
   * @throws Failure when the server keeps no such limits, or lets us not set them.
   */
  set(queue: string, requestsPerMinute: number | null): Promise<void>;
  get(queue: string): Promise<number | null>;
}

export interface Ended {
  workflowId: string;
  ending: Ending;
}

/** Looks at questions' workflows from outside. */
export interface QuestionWatch {
  /** How each has ended; those that are still running are left out. */
  ended(workflowIds: readonly string[], signal: AbortSignal): Promise<Ended[]>;
  /** Whether this very run of a workflow is under way. */
  isRunning(workflow: { workflowId: string; runId: string }): Promise<boolean>;
}
