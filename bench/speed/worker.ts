/** The worker under measurement: what `durable-rag worker` runs, in a process of its own. */
import { installRuntime } from '../../client/cli/runtime.js';
import { runWorker } from '../../workers/run-worker.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';

export interface WorkerUsage {
  /** Since the process started. */
  cpuMs: number;
  rss: number;
  /** After a garbage collection. */
  heapUsed: number;
}

installRuntime(quietReporter);
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  warn: quietReporter.warn,
});

serve<null, WorkerUsage>(
  () => {
    const { user, system } = process.cpuUsage();
    const { rss } = process.memoryUsage();
    globalThis.gc?.();
    return { cpuMs: (user + system) / 1000, rss, heapUsed: process.memoryUsage().heapUsed };
  },
  () => worker.stop(),
);
