/** The Temporal runtime of the command line: forwards its log to the reporter, and ignores its late errors. */
import type { LogEntry, Runtime } from '@temporalio/worker';
import type { Reporter } from '../temporal-dev/reporter.js';
import { freePort } from '../temporal-dev/tcp-ports.js';
import { failedTaskOf, logLine } from './log-entry.js';
import { printToStderr } from './print.js';
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

/** Message of the SDK's error for a call on a closed connection. */
const SHUT_DOWN = 'Channel has been shut down';

/**
 * Installs a handler that ignores the SDK's error for a call on a closed connection, which the SDK
 * throws from a timer; the code that closed the connection has reported the reason. Any other
 * uncaught error is printed and ends the process with exit code 1.
 */
export function surviveClosedChannels(): void {
  process.on('uncaughtException', (error) => {
    if (error.message === SHUT_DOWN) return;
    printToStderr(error.stack ?? error.message);
    process.exit(1);
  });
}
