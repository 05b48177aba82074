/** Settings of model calls that go through a provider's batch endpoint. Pure. */

/** Settings of a run or job whose model calls go through a provider's batches. */
export interface BatchTransport {
  /** Longest wait of a request for others, in seconds, before a batch is made. */
  waitSeconds: number;
  /** Requests with which a batch is made at once. */
  size: number;
  /** Seconds after which a request that no batch has answered is called on its own. */
  patienceSeconds: number;
}

/** The batch settings of one question: those of its run. */
export interface AskedTransport extends BatchTransport {
  /** Workflow id of the run that is told the expected cost of the question's pooled calls. */
  costTo?: string;
}

/** Name of the signal that carries the expected cost of a call to its run, in US dollars. */
export const POOLED_SIGNAL = 'pooled';

export const BATCH_TRANSPORT: BatchTransport = {
  waitSeconds: 60,
  size: 5000,
  patienceSeconds: 24 * 3600,
};

/**
 * Most questions under way as children of one workflow, which may have 2,000; some children are
 * judges.
 */
export const WIDEST_OF_ONE_PARENT = 1900;

/** Most questions under way with shards: as many as a batch may have requests. */
export const WIDEST_WINDOW = 50_000;

/** Returns the number of questions under way at a time, so that their first steps fill a batch. */
export function windowFor({ size }: { size?: number | undefined }): number {
  return size ?? BATCH_TRANSPORT.size;
}

/** Most heartbeats per second for pooled calls. */
const BEATS_A_SECOND = 50;
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 300;

/**
 * Returns the heartbeat timeout of a pooled call, in seconds; longer for larger pools, so that the
 * server can handle the heartbeats.
 */
export function pooledHeartbeatSeconds({ size }: BatchTransport): number {
  // Each call sends three heartbeats within its timeout.
  const seconds = Math.ceil((3 * size) / BEATS_A_SECOND);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
