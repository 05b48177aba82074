/**
 * The worker under measurement: what `durable-rag worker` runs, in a process of its own, with
 * health and metrics where the environment says so.
 */
import { installRuntime } from '../../cli/runtime.js';
import { setting } from '../../core/settings.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { openStore } from '../../stores/open-store.js';
import { readConfig } from '../../workers/config.js';
import { runWorker } from '../../workers/run-worker.js';
import { TENANTS_NAMESPACE } from '../../workers/store-namespaces.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';
import { usage, type WatchedUsage, type WorkerRequest } from './worker-usage.js';

/** Keeps nothing, and answers at once. */
const nowhere: KeyValueStore = {
  get: async () => undefined,
  set: async () => {},
  setIfAbsent: async () => true,
  compareAndSet: async () => true,
  delete: async () => {},
  async *list() {},
  close: async () => {},
};

/** Opens the store as a worker does by itself, but for the account if the bench leaves it out. */
function openWithout(account: string) {
  const { storeUrl } = readConfig(process.env);
  return async (namespace: string) =>
    account === 'no' && namespace === TENANTS_NAMESPACE ? nowhere : openStore(storeUrl, namespace);
}

const account = process.env.BENCH_ACCOUNT;
const http = setting(process.env, 'DURABLE_RAG_HTTP');
const metricsUrl = await installRuntime(quietReporter, { metrics: http !== undefined });
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  ...(account && { store: openWithout(account) }),
  warn: quietReporter.warn,
  http,
  metricsUrl,
});

serve<WorkerRequest, WatchedUsage>(
  (request) => ({ ...usage(request), healthUrl: worker.healthUrl }),
  () => worker.stop(),
);
