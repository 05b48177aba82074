/** The activities that read and change limits of model calls, as workflows know them. Types only. */
import type { LimitsInForce, Rates } from '../queue/limits.js';

export interface RateActivities {
  /**
   * Asks for limits in the name of the workflow that calls it, for all runs on the queue and until
   * that workflow ends; null takes back what it has asked for. Says what then is in force.
   */
  setRates(rates: Partial<Rates>): Promise<LimitsInForce>;
  /** Puts limits in force at once, whoever asked for them; null is none. */
  applyRates(rates: Partial<Rates>): Promise<void>;
  readRates(): Promise<Rates>;
  /** Waits until at least one of these workflows has ended, and gives those that have. */
  awaitRunsEnded(workflowIds: string[]): Promise<string[]>;
}
