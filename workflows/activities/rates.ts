/** Types of the activities that read and change the limits of model calls, for workflows. */
import type { LimitsInForce, Rates } from '../queue/limits.js';

/** Activities that read and change the rate limits of the model calls of a task queue. */
export interface RateActivities {
  /**
   * Asks for limits on behalf of the calling workflow, for all runs on the queue and until that
   * workflow ends; null withdraws its earlier request. Returns the limits then in force.
   */
  setRates(rates: Partial<Rates>): Promise<LimitsInForce>;
  /** Puts limits in force at once, whoever asked for them; null removes one. */
  applyRates(rates: Partial<Rates>): Promise<void>;
  /** Returns the limits that are set now; null for a rate without a limit. */
  readRates(): Promise<Rates>;
  /** Waits until at least one of these workflows has ended; returns those that have. */
  awaitRunsEnded(workflowIds: string[]): Promise<string[]>;
}
