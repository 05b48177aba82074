/** The Temporal runtime of the command line: signals are ours, log entries are one line each. */
import type { Runtime } from '@temporalio/worker';
import { freePort } from '../../temporal-dev/ports.js';
import type { Reporter } from '../../temporal-dev/reporter.js';
import { lineOf } from './log-entry.js';

/** The worker for model calls has no workflows, as it should. */
const EXPECTED = /^No workflows registered/;

let installed: Runtime | undefined;

/**
 * Call once, before the first worker. Warnings and errors of the SDK go to the reporter.
 *
 * @param options.metrics Whether to count for Prometheus.
 * @returns where the counts are served, on a port of this machine alone, if anywhere.
 */
export async function installRuntime(
  reporter: Reporter,
  { metrics = false } = {},
): Promise<string | undefined> {
  const { DefaultLogger, makeTelemetryFilterString, Runtime } = await import('@temporalio/worker');
  const { prometheusMetrics } = await import('../../workers/observe/metrics.js');
  const address = metrics ? `127.0.0.1:${await freePort()}` : undefined;
  installed = Runtime.install({
    shutdownSignals: [],
    // Forwarded, because the SDK's core would write to standard output, which is the answer's.
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR' }) },
      ...(address && { metrics: prometheusMetrics(address) }),
    },
    logger: new DefaultLogger('WARN', (entry) => {
      if (EXPECTED.test(entry.message)) return;
      const { text, fields } = lineOf(entry);
      reporter.warn(text, fields);
    }),
  });
  return address && `http://${address}/metrics`;
}

/** Call once no worker runs any more: what forwards the log would keep the process alive. */
export async function closeRuntime(): Promise<void> {
  await installed?.shutdown();
}
