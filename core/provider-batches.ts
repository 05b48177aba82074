/** Settings of model calls that go through a provider's batch endpoint. Pure. */

/**
 * Settings for model calls through a provider's batch endpoint: the longest waits, in seconds, and
 * the number of requests that fill a batch.
 */
export interface BatchTransport {
  /** Longest time that a request waits for others before a batch is created, in seconds. */
  waitSeconds: number;
  /** Number of waiting requests at which a batch is created immediately. */
  size: number;
  /** Time in seconds after which a request that no batch has answered is sent as a single call. */
  patienceSeconds: number;
}

/**
 * The batch settings of one question: those of its run, with the workflow id of the run to which
 * it reports expected costs in US dollars, if it reports them.
 */
export interface QuestionTransport extends BatchTransport {
  /**
   * Workflow id of the run to which the expected costs of calls that wait for a batch are sent;
   * absent if they are not reported.
   */
  costTo?: string;
}

/**
 * Name of the signal by which a run is told the expected cost, in US dollars, of a call that waits
 * for a batch.
 */
export const POOLED_SIGNAL = 'pooled';

/**
 * The values of the batch settings that a run or job does not set: a batch is created after 60 s
 * or at 5,000 requests, and a request without an answer after 24 hours is sent as a single call.
 */
export const DEFAULT_BATCH_TRANSPORT: BatchTransport = {
  waitSeconds: 60,
  size: 5000,
  patienceSeconds: 24 * 3600,
};

/**
 * Maximum number of questions that one workflow has in flight as its children: 1,900. Temporal
 * allows 2,000 children; the rest is for workflows that judge answers.
 */
export const MOST_CHILD_QUESTIONS = 1900;

/** Maximum value of a run's `concurrency`: as many questions as a batch may have requests. */
export const MOST_IN_FLIGHT = 50_000;

/**
 * Returns the default number of questions in flight of a run with batches: the size of a batch, so
 * that the first steps of its questions fill one.
 */
export function batchConcurrency({ size }: { size?: number | undefined }): number {
  return size ?? DEFAULT_BATCH_TRANSPORT.size;
}

/** Maximum number of heartbeats per second of all calls that wait for a batch. */
const BEATS_A_SECOND = 50;
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 300;

/**
 * Returns the heartbeat timeout of a call that waits for a batch, in seconds, from 30 to 300. It
 * grows with the size of the batch, to limit the heartbeats per second that the Temporal server
 * receives.
 */
export function pooledHeartbeatSeconds({ size }: BatchTransport): number {
  // Each call sends three heartbeats within its timeout.
  const seconds = Math.ceil((3 * size) / BEATS_A_SECOND);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
