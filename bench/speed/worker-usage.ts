/** What a worker's process says of itself. */

/** Collecting garbage first makes memory comparable, and costs CPU. */
export type WorkerRequest = 'as it is' | 'without garbage';

export interface WorkerUsage {
  /** Since the process started. */
  cpuMs: number;
  heapUsed: number;
  /** Resident memory in bytes, with that of the threads that run workflows. */
  rss: number;
}

/** Of a worker that a person could look at. */
export interface WatchedUsage extends WorkerUsage {
  /** Where it serves its health; undefined where it does not. */
  healthUrl: string | undefined;
}

/** Of this process. */
export function usage(request: WorkerRequest): WorkerUsage {
  const { user, system } = process.cpuUsage();
  if (request === 'without garbage') globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, heapUsed, rss };
}
