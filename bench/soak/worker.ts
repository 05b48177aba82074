/** A worker as `durable-rag worker` runs it, with health, metrics and traces where the environment says so. */
import { readFile } from 'node:fs/promises';
import { installRuntime } from '../../cli/runtime.js';
import { setting } from '../../core/settings.js';
import { runWorker } from '../../workers/run-worker.js';
import { quietReporter } from '../speed/quiet-reporter.js';
import { serve } from '../speed/remote.js';

export type SoakRequest = 'usage';

export interface SoakUsage {
  /** Since the process started. */
  cpuMs: number;
  /** After garbage was collected. */
  rss: number;
  /** The part of it that is no file: stores and indexes are mapped into memory, and shared. */
  own: number;
  heapUsed: number;
  /** What it would have told a person. */
  warnings: number;
  /** Where it serves its health; undefined where it does not. */
  healthUrl: string | undefined;
}

let warnings = 0;
const reporter = {
  ...quietReporter,
  warn(text: string) {
    warnings++;
    quietReporter.warn(text);
  },
};
const http = setting(process.env, 'DURABLE_RAG_HTTP');
const metricsUrl = await installRuntime(reporter, { metrics: http !== undefined });
const worker = await runWorker({
  connect: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  namespace: 'default',
  env: process.env,
  warn: reporter.warn,
  http,
  metricsUrl,
});

serve<SoakRequest, SoakUsage>(
  async () => {
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      ...{ cpuMs: (user + system) / 1000, rss, own: (await anonymous()) ?? rss, heapUsed },
      ...{ warnings, healthUrl: worker.healthUrl },
    };
  },
  () => worker.stop(),
);

/** Bytes of this process that are in memory and in no file; undefined where there is no /proc. */
async function anonymous(): Promise<number | undefined> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
