/** What activities need of the Temporal server; types only. */

import type { Ended } from '../../workflows/activities/run.js';
import type { Asking, LimitsInForce } from '../../workflows/queue/limits.js';

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

/** The limits that runs have asked for, each until its end. */
export interface QueueLimits {
  /**
   * @param taskQueue Of the workflows.
   * @returns What is in force then.
   */
  ask(taskQueue: string, asking: Asking): Promise<LimitsInForce>;
}

export interface ActivityRef {
  workflowId: string;
  runId: string;
  activityId: string;
}

/** An activity that waits for its answer from outside, and what it has asked. */
export interface WaitingActivity extends ActivityRef {
  step: string;
  method?: string | undefined;
  call: { model: string };
  attempt: number;
  /** When it was scheduled, in milliseconds since 1970. */
  since: number;
  /** As `span` has named it. */
  span?: string | undefined;
}

export interface CollectorRef {
  pool: string;
  model: string;
}

/** Activities that gave their slot back, and are ended from outside. One that is gone is let be. */
export interface WaitingActivities {
  complete(activity: WaitingActivity, output: unknown): Promise<void>;
  /** Where it is to be retried, its next attempt begins on a worker, with the usual heartbeats. */
  fail(activity: ActivityRef, failure: Error): Promise<void>;
  /**
   * Lets it go without a heartbeat for longer than it was scheduled with, until `fail`. False where
   * the server does not change the timeouts of activities under way.
   */
  hold(activity: ActivityRef, heartbeatSeconds: number): Promise<boolean>;
  /** Says that it is not forgotten. False where it is cancelled, which is then confirmed, or gone. */
  beat(activity: ActivityRef): Promise<boolean>;
  /** Tells a run what a call that was put into a pool is expected to cost; lets be one that is gone. */
  expect(run: string, costUsd: number): Promise<void>;
  /** Names the span of the attempt under way, for `complete`; undefined without traces. */
  span(): string | undefined;
  /** Makes sure that the collector of a pool runs. */
  collect(collector: CollectorRef): Promise<void>;
}

/** Looks at questions' workflows from outside. */
export interface QuestionWatch {
  /** How each has ended; those that are still running are left out. */
  ended(workflowIds: readonly string[], signal: AbortSignal): Promise<Ended[]>;
  /** Whether this very run of a workflow is under way; without a run id, the newest. */
  isRunning(workflow: { workflowId: string; runId?: string }): Promise<boolean>;
}
