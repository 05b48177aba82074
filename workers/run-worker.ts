/** Runs a worker process from its configuration. */
import { IllegalStateError } from '@temporalio/common';
import {
  GracefulShutdownPeriodExpiredError,
  NativeConnection,
  type NativeConnectionOptions,
  Worker,
} from '@temporalio/worker';
import type { Listening } from '../client/loopback.js';
import { pingServer } from '../client/server-away.js';
import type { HttpAddress } from '../core/http-address.js';
import type { Role } from '../core/roles.js';
import { methodRegistry } from '../interpreters/methods.js';
import { isLocalHost } from '../llm/openai/endpoint.js';
import { readConfig } from './config.js';
import { createPlugin } from './durable-rag.js';
import { serveWorkerHealth } from './health/worker-health.js';
import { joinInterceptors } from './observe/observing.js';
import { watchServer } from './server-watch.js';
import { startTracing } from './tracing/start-tracing.js';
import type { DurableRagOptions } from './worker-options.js';

/**
 * Options of `runWorker`: those of `durableRag`, the connection, and the address of health and
 * metrics.
 */
export interface RunWorkerOptions extends DurableRagOptions {
  /** Connection to Temporal: the address, with tls, apiKey and metadata if needed. */
  connect: Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
  namespace: string;
  /** Address that serves `/healthz`, `/readyz`, and `/metrics` of the runtime at `metricsUrl`. */
  http?: HttpAddress | undefined;
  /** URL at which the SDK's runtime of this process serves its series to Prometheus. */
  metricsUrl?: string | undefined;
}

/**
 * A running worker, as `runWorker` returns it: its task queue and roles, its state, and how to
 * stop it.
 */
export interface RunningWorker {
  taskQueue: string;
  roles: readonly Role[];
  /** Identity under which the Temporal server lists it. */
  identity: string;
  /** Build id of its workflows; undefined if the worker is not versioned. */
  build: string | undefined;
  /** URL of health and metrics; undefined if they are not served. */
  healthUrl?: string | undefined;
  /** Returns whether the worker polls for work; false once it is stopping. */
  takesWork(): boolean;
  /**
   * Returns whether it stopped before its running work had ended; that work keeps the process
   * alive.
   */
  hasLeft(): boolean;
  /** Resolves when the worker has stopped; rejects if it failed. */
  readonly stopped: Promise<void>;
  /**
   * Stops the worker: it accepts no more work, waits for running calls (`limits.graceSeconds`),
   * then cancels them and waits up to ten seconds. Work that has not ended even then is abandoned
   * with a warning. Settles like `stopped`.
   */
  stop(): Promise<void>;
}

/**
 * Connects to Temporal, starts a worker and returns it while it runs. It has all roles (questions,
 * model calls, retrieval), or those in `only`. Options override environment variables.
 *
 * @throws Failure that names the variable to change if the configuration cannot be used; the SDK's
 * error if no Temporal server answers.
 * @example
 * const worker = await runWorker({ connect: { address }, namespace: 'default' });
 * process.once('SIGTERM', () => worker.stop());
 * await worker.stopped;
 */
export async function runWorker(options: RunWorkerOptions): Promise<RunningWorker> {
  const { connect, namespace, http, metricsUrl, ...parts } = options;
  const { taskQueue, roles } = readConfig(options.env ?? process.env);
  const { env = process.env, warn = console.warn, interceptors } = parts;
  const tracing = await startTracing(env, warn);
  const connection = await NativeConnection.connect({
    ...compressionFor(connect.address),
    ...connect,
  });
  const endWatch = watchServer({
    ask: () => pingServer(connection),
    warn,
  });
  const { plugin, probeStore } = createPlugin({
    ...parts,
    ...(tracing && { interceptors: joinInterceptors(tracing.interceptors, interceptors) }),
  });
  const plugins = tracing ? [tracing.plugin, plugin] : [plugin];
  let run: RunningWorker | undefined;
  const methods = [...methodRegistry(parts.methods).keys()];
  const takesWork = () => run?.takesWork() ?? false;
  const served = { connection, namespace, taskQueue, methods, probeStore, metricsUrl, takesWork };
  let health: Listening | undefined;
  const close = async () => {
    endWatch();
    await health?.close();
    await connection.close();
    await tracing?.close();
  };
  try {
    // Started first, so that the process is seen to live while the worker is made.
    health = http && (await serveWorkerHealth({ ...served, address: http }));
    // Tracing does not change the commands of workflows, so it makes no other version of them.
    const buildId = tracing && (await createPlugin(parts).buildId());
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      plugins,
      ...(buildId !== undefined && { buildId }),
    });
    const own = { taskQueue, roles: parts.only ?? roles };
    run = { ...runningWorker(worker, own, close, warn), healthUrl: health?.url };
    return run;
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns whether an error of the SDK means that a stop ended before the running work: its time is
 * up, or parts of the worker are still in use.
 */
function isLeft(error: unknown): boolean {
  return error instanceof GracefulShutdownPeriodExpiredError || error instanceof IllegalStateError;
}

/**
 * Starts to run a worker, and returns it at once with its state and a function that stops it.
 *
 * @param close Called when the worker has ended.
 * @param warn Called if running work is abandoned.
 */
export function runningWorker(
  worker: Worker,
  { taskQueue, roles }: Pick<RunningWorker, 'taskQueue' | 'roles'>,
  close: () => Promise<void>,
  warn: (message: string) => void = console.warn,
): RunningWorker {
  let isStopping = false;
  let left = false;
  const run = async () => {
    try {
      await worker.run();
    } catch (error) {
      if (!(isStopping && isLeft(error))) throw error;
      left = true;
      warn(
        'Some running work did not end although it was cancelled: it is abandoned here, and begins again on another worker.',
      );
    } finally {
      await close();
    }
  };
  const stopped = run();
  // Whoever awaits `stopped` sees the failure; until then it must not end the process.
  stopped.catch(() => {});
  return {
    taskQueue,
    roles,
    stopped,
    identity: worker.options.identity,
    build: worker.options.workerDeploymentOptions?.version.buildId,
    hasLeft: () => left,
    takesWork: () => !isStopping && worker.getState() === 'RUNNING',
    async stop() {
      isStopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await stopped;
    },
  };
}

/**
 * Returns an object with the connection option for compression: `grpcCompression` with the codec
 * "none" for a server on this machine, where compression costs time and saves nothing; otherwise an
 * empty object, so that the SDK decides.
 *
 * @param address "host:port"; undefined for the SDK's default, for which the object is empty too.
 */
export function compressionFor(
  address: string | undefined,
): Pick<NativeConnectionOptions, 'grpcCompression'> {
  const url = `http://${address}`;
  const isLocal = URL.canParse(url) && isLocalHost(new URL(url).hostname);
  return isLocal ? { grpcCompression: { codec: 'none' } } : {};
}
