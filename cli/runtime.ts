/** Installs the Temporal runtime of the command line, which forwards its log to the reporter. */
import type { LogEntry, Runtime } from '@temporalio/worker';
import type { Reporter } from '../temporal-dev/reporter.js';
import { freePort } from '../temporal-dev/tcp-ports.js';
import { failedTaskOf, logLine } from './log-entry.js';
import type { OpenServer } from './reach-server.js';

/** Error for calls that were cut off by a stop, which `runWorker` reports. */
const STOPPED_LATE = 'GracefulShutdownPeriodExpiredError';

/** Log source of failed workflow tasks in the SDK's native part, which logs them as warnings. */
const NATIVE_WORKFLOWS = 'temporalio_sdk_core::worker::workflow';

/** Options of the runtime. */
interface RuntimeOptions {
  /** Whether to serve metrics for Prometheus. @default false */
  metrics?: boolean;
  /** Server for the names of stuck workflows; without it, warnings contain their run ids. */
  server?: OpenServer;
}

let installed: Runtime | undefined;

/**
 * Installs the runtime of Temporal's SDK, which forwards its warnings and errors to the reporter.
 * Must be called once, before the first worker is created.
 *
 * @returns The URL of the metrics for Prometheus, which only this machine can reach; undefined if
 * `metrics` is false.
 */
export async function installRuntime(
  reporter: Reporter,
  { metrics = false, server }: RuntimeOptions = {},
): Promise<string | undefined> {
  const { DefaultLogger, makeTelemetryFilterString, Runtime } = await import('@temporalio/worker');
  const { prometheusMetrics } = await import('../workers/observe/meter.js');
  const { workflowLookup, stuckLog } = await import('./stuck-log.js');
  const address = metrics ? `127.0.0.1:${await freePort()}` : undefined;
  const tellStuck = stuckLog(reporter, server ? workflowLookup(server) : async () => new Map());
  installed = Runtime.install({
    shutdownSignals: [],
    // Forwarded, because the SDK's core would write to standard output, which is for the answer.
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
      const { text, fields } = logLine(entry);
      if (fields.kind === STOPPED_LATE) return;
      reporter.warn(text, fields);
    }),
  });
  return address && `http://${address}/metrics`;
}

/** Returns whether a log entry is a warning of the SDK's native part, which retries by itself. */
function isNativeWarning({ level, meta }: LogEntry): boolean {
  return level === 'WARN' && meta?.sdkComponent === 'core';
}

/**
 * Closes the runtime, if one was installed. Must be called after the last worker has stopped;
 * otherwise the runtime's log forwarding keeps the process alive.
 */
export async function closeRuntime(): Promise<void> {
  await installed?.shutdown();
}
