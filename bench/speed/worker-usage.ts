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

/** Of this process. */
export function usage(request: WorkerRequest): WorkerUsage {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  if (request === 'without garbage') globalThis.gc?.();
  return { cpuMs: (user + system) / 1000, rss, heapUsed: process.memoryUsage().heapUsed };
}
