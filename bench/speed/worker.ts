/** The worker under measurement: what `durable-rag worker` runs, in a process of its own. */
import { installRuntime } from '../../cli/runtime.js';
import { runWorker } from '../../workers/run-worker.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';
import { usage, type WorkerRequest, type WorkerUsage } from './worker-usage.js';

await installRuntime(quietReporter);
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  warn: quietReporter.warn,
});

serve<WorkerRequest, WorkerUsage>(usage, () => worker.stop());
