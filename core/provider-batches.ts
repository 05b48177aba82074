/** How model calls go through a provider's batch endpoint in place of one by one. Pure. */

/** What is said of it, by a run or a job. */
export interface BatchTransport {
  /** How long a request may wait for others before a batch is made of them. */
  waitSeconds: number;
  /** Requests with which a batch is made at once. */
  size: number;
  /** After so long a request that no batch has answered goes by itself. */
  patienceSeconds: number;
}

/** The same, as a question is told of it. */
export interface AskedTransport extends BatchTransport {
  /** Workflow id of the run that is to know what the question's pooled calls may cost. */
  costTo?: string;
}

/** By which a run is told, in US dollars. */
export const POOLED_SIGNAL = 'pooled';

export const BATCH_TRANSPORT: BatchTransport = {
  waitSeconds: 60,
  size: 5000,
  patienceSeconds: 24 * 3600,
};

/** A workflow may have 2,000 children under way; some of them are judges of answers. */
export const WIDEST_OF_ONE_PARENT = 1900;

/** As many as a batch may have requests. */
export const WIDEST_WINDOW = 50_000;

/** Questions under way at a time, so that their first steps fill a batch. */
export function windowFor({ size }: { size?: number | undefined }): number {
  return size ?? BATCH_TRANSPORT.size;
}

/** How many heartbeats a second are made for what is pooled, at most. */
const BEATS_A_SECOND = 50;
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 300;

/**
 * After how long without a heartbeat a call that is in the pool is taken up anew: no more heartbeats
 * than the server bears where much is pooled.
 */
export function pooledHeartbeatSeconds({ size }: BatchTransport): number {
  // Each beats three times in that time.
  const seconds = Math.ceil((3 * size) / BEATS_A_SECOND);
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
