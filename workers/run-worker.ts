/** A worker process: configuration in, polling workers out. */
import { IllegalStateError } from '@temporalio/common';
import {
  GracefulShutdownPeriodExpiredError,
  NativeConnection,
  type NativeConnectionOptions,
  Worker,
} from '@temporalio/worker';
import type { Listening } from '../client/loopback.js';
import { askServer } from '../client/server-away.js';
import type { HttpAddress } from '../core/http-address.js';
import type { Role } from '../core/roles.js';
import { methodRegistry } from '../interpreters/methods.js';
import { isLocalHost } from '../llm/openai/endpoint.js';
import { readConfig } from './config.js';
import { createPlugin } from './durable-rag.js';
import { serveWorkerHealth } from './health/worker-health.js';
import { joined } from './observe/observing.js';
import type { DurableRagOptions } from './options.js';
import { watchServer } from './server-watch.js';
import { startTracing } from './tracing/start-tracing.js';

/** What `runWorker` takes: the options of `durableRag`, and how to connect. */
export interface RunWorkerOptions extends DurableRagOptions {
  /** How to reach Temporal: address, and tls, apiKey and metadata where it needs them. */
  connect: Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
  namespace: string;
  /** Serves `/healthz` and `/readyz` there, and `/metrics` of a runtime that `metricsUrl` names. */
  http?: HttpAddress | undefined;
  /** Where the SDK's runtime of this process serves its series to Prometheus. */
  metricsUrl?: string | undefined;
}

/** A worker that runs, as `runWorker` returns it. */
export interface RunningWorker {
  taskQueue: string;
  roles: readonly Role[];
  /** By which the Temporal server lists it. */
  identity: string;
  /** The version that its questions stay with; undefined where it is not versioned. */
  build: string | undefined;
  /** Where health and metrics are served; undefined where they are not. */
  healthUrl?: string | undefined;
  /** False as soon as it is told to stop. */
  takesWork(): boolean;
  /** Whether it has stopped before what was under way: that keeps the process alive until it ends. */
  hasLeft(): boolean;
  /** Settles when the worker has stopped; rejects when it failed. */
  readonly stopped: Promise<void>;
  /**
   * Takes no more work, waits for the calls under way (`limits.graceSeconds`), cancels them and gives
   * them ten seconds, then as `stopped`. What has not ended even then is warned of, and left.
   */
  stop(): Promise<void>;
}

/**
 * Starts a worker for everything (workflows, retrieval and model calls) or for `only` a part of it.
 * It is what the environment says, and what is given as an option in its place.
 *
 * @throws Failure that names the variable to change when the configuration cannot be used.
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
    ask: () => askServer(connection),
    warn,
  });
  const { plugin, probeStore } = createPlugin({
    ...parts,
    ...(tracing && { interceptors: joined(tracing.interceptors, interceptors) }),
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
    // First, so that the process is seen to live while the worker is made.
    health = http && (await serveWorkerHealth({ ...served, address: http }));
    // Tracing changes nothing that a workflow commands, so it makes no other version of them.
    const buildId = tracing && (await createPlugin(parts).buildId());
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      plugins,
      ...(buildId !== undefined && { buildId }),
    });
    const own = { taskQueue, roles: parts.only ?? roles };
    run = { ...running(worker, own, close, warn), healthUrl: health?.url };
    return run;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Tells whether a stop ended before what was under way did: the SDK then fails in these ways. */
function isLeft(error: unknown): boolean {
  if (error instanceof GracefulShutdownPeriodExpiredError) return true;
  return error instanceof IllegalStateError && error.message.includes('still in use');
}

export function running(
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
        'Some of what was under way did not end, though it was cancelled: it is left, and begins again with another worker.',
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
 * Nothing where the server is elsewhere, which leaves it to the SDK. On one machine it saves nothing
 * and costs both sides: a worker's SDK compresses each request, and the server each answer to it.
 *
 * @param address "host:port", or undefined for that of the SDK.
 */
export function compressionFor(
  address: string | undefined,
): Pick<NativeConnectionOptions, 'grpcCompression'> {
  const url = `http://${address}`;
  const isLocal = URL.canParse(url) && isLocalHost(new URL(url).hostname);
  return isLocal ? { grpcCompression: { codec: 'none' } } : {};
}
