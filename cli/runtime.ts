/** The Temporal runtime of the command line: signals are ours, log entries are one line each. */
import type { LogEntry, Runtime } from '@temporalio/worker';
import { freePort } from '../temporal-dev/ports.js';
import type { Reporter } from '../temporal-dev/reporter.js';
import { failedTaskOf, lineOf } from './log-entry.js';
import type { OpenServer } from './reach-server.js';

/** A stop that did not wait for all that was under way is told by `runWorker`. */
const STOPPED_LATE = 'GracefulShutdownPeriodExpiredError';

/** Where the SDK's native part says that the code cannot take a task of a workflow, as a warning. */
const NATIVE_WORKFLOWS = 'temporalio_sdk_core::worker::workflow';

export interface RuntimeOptions {
  /** Whether to count for Prometheus. @default false */
  metrics?: boolean;
  /** What names the workflows that cannot go on; without it they are told by their run id. */
  server?: OpenServer;
}

let installed: Runtime | undefined;

/**
 * Call once, before the first worker. Warnings and errors of the SDK go to the reporter.
 *
 * @returns where the counts are served, on a port of this machine alone, if anywhere.
 */
export async function installRuntime(
  reporter: Reporter,
  { metrics = false, server }: RuntimeOptions = {},
): Promise<string | undefined> {
  const { DefaultLogger, makeTelemetryFilterString, Runtime } = await import('@temporalio/worker');
  const { prometheusMetrics } = await import('../workers/observe/metrics.js');
  const { namesFrom, stuckLog } = await import('./stuck-log.js');
  const address = metrics ? `127.0.0.1:${await freePort()}` : undefined;
  const tellStuck = stuckLog(reporter, server ? namesFrom(server) : async () => new Map());
  installed = Runtime.install({
    shutdownSignals: [],
    // Forwarded, because the SDK's core would write to standard output, which is the answer's.
    telemetryOptions: {
      logging: {
        forward: {},
        filter: `${makeTelemetryFilterString({ core: 'ERROR' })},${NATIVE_WORKFLOWS}=WARN`,
      },
      ...(address && { metrics: prometheusMetrics(address) }),
    },
    logger: new DefaultLogger('WARN', (entry) => {
      const failed = failedTaskOf(entry);
      if (failed) return tellStuck(failed);
      if (isNativeWarning(entry)) return;
      const { text, fields } = lineOf(entry);
      if (fields.kind === STOPPED_LATE) return;
      reporter.warn(text, fields);
    }),
  });
  return address && `http://${address}/metrics`;
}

/** Of its native part only errors are told, which what it retries by itself is not. */
function isNativeWarning({ level, meta }: LogEntry): boolean {
  return level === 'WARN' && meta?.sdkComponent === 'core';
}

/** Call once no worker runs any more: what forwards the log would keep the process alive. */
export async function closeRuntime(): Promise<void> {
  await installed?.shutdown();
}
