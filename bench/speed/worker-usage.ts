/** What a worker's process says of itself. */

/** Collecting garbage first makes memory comparable, and costs CPU. */
export type WorkerRequest = 'as it is' | 'without garbage';

export interface WorkerUsage {
  /** Since the process started. */
  cpuMs: number;
  /** Before garbage is collected. */
  rss: number;
  heapUsed: number;
}

/** Of a worker that a person could look at. */
export interface WatchedUsage extends WorkerUsage {
  /** What it would have told a person. */
  warnings: number;
  /** Where it serves its health; undefined where it does not. */
  healthUrl: string | undefined;
}

/** Of this process. */
export function usage(request: WorkerRequest): WorkerUsage {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  if (request === 'without garbage') globalThis.gc?.();
  return { cpuMs: (user + system) / 1000, rss, heapUsed: process.memoryUsage().heapUsed };
}
