/**
 * The worker under measurement: what `durable-rag worker` runs, in a process of its own, with
 * health and metrics where the environment says so.
 */
import { installRuntime } from '../../cli/runtime.js';
import { setting } from '../../core/settings.js';
import { runWorker } from '../../workers/run-worker.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';
import { usage, type WatchedUsage, type WorkerRequest } from './worker-usage.js';

const http = setting(process.env, 'DURABLE_RAG_HTTP');
const metricsUrl = await installRuntime(quietReporter, { metrics: http !== undefined });
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  warn: quietReporter.warn,
  http,
  metricsUrl,
});

serve<WorkerRequest, WatchedUsage>(
  (request) => ({ ...usage(request), healthUrl: worker.healthUrl }),
  () => worker.stop(),
);
