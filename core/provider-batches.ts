/** Settings of model calls that go through a provider's batch endpoint. Pure. */

/** Settings of a run or job whose model calls go through a provider's batch endpoint. */
export interface BatchTransport {
  /** Longest time that a request waits for others before a batch is created, in seconds. */
  waitSeconds: number;
  /** Number of waiting requests at which a batch is created immediately. */
  size: number;
  /** Time after which a request that no batch has answered is sent on its own, in seconds. */
  patienceSeconds: number;
}

/**
 * The batch settings of one question: those of its run, and the run to report expected costs to.
 */
export interface QuestionTransport extends BatchTransport {
  /** Workflow id of the run to which the expected cost of calls that wait for a batch is sent. */
  costTo?: string;
}

/**
 * Name of the signal that carries the expected cost of a call that waits for a batch, in US
 * dollars.
 */
export const POOLED_SIGNAL = 'pooled';

/** Default batch settings. */
export const BATCH_TRANSPORT: BatchTransport = {
  waitSeconds: 60,
  size: 5000,
  patienceSeconds: 24 * 3600,
};

/**
 * Maximum number of questions that one workflow has in flight as children. Temporal allows 2,000
 * children; the rest is for workflows that judge answers.
 */
export const MOST_CHILD_QUESTIONS = 1900;

/** Maximum number of questions of a run in flight: as many as a batch may have requests. */
export const MOST_IN_FLIGHT = 50_000;

/**
 * Returns how many questions are in flight at a time by default, so that their first steps fill a
 * batch.
 */
export function windowFor({ size }: { size?: number | undefined }): number {
  return size ?? BATCH_TRANSPORT.size;
}

/** Maximum number of heartbeats per second of all calls that wait for a batch. */
const BEATS_A_SECOND = 50;
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 300;

/**
 * Returns the heartbeat timeout of a call that waits for a batch, in seconds: the larger the batch,
 * the longer, to limit the heartbeats per second that the Temporal server receives.
 */
export function pooledHeartbeatSeconds({ size }: BatchTransport): number {
  // Each call sends three heartbeats within its timeout.
  const seconds = Math.ceil((3 * size) / BEATS_A_SECOND);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
