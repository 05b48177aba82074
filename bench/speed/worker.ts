/** The worker under measurement: what `durable-rag worker` runs, in a process of its own. */
import { installRuntime } from '../../client/cli/runtime.js';
import { runWorker } from '../../workers/run-worker.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';

/** Collecting garbage first makes memory comparable, and costs CPU. */
export type WorkerRequest = 'as it is' | 'without garbage';

export interface WorkerUsage {
  /** Since the process started. */
  cpuMs: number;
  /** Before garbage is collected. */
  rss: number;
  heapUsed: number;
}

await installRuntime(quietReporter);
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  warn: quietReporter.warn,
});

serve<WorkerRequest, WorkerUsage>(
  (request) => {
    const { user, system } = process.cpuUsage();
    const { rss } = process.memoryUsage();
    if (request === 'without garbage') globalThis.gc?.();
    return { cpuMs: (user + system) / 1000, rss, heapUsed: process.memoryUsage().heapUsed };
  },
  () => worker.stop(),
);
