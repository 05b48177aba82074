/** A worker process: configuration in, polling workers out. */
import { NativeConnection, type NativeConnectionOptions, Worker } from '@temporalio/worker';
import { readConfig } from './config.js';
import { durableRag } from './durable-rag.js';
import type { DurableRagOptions } from './options.js';

export interface RunWorkerOptions extends DurableRagOptions {
  /** How to reach Temporal: address, and tls, apiKey and metadata where it needs them. */
  connect: Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
  namespace: string;
}

export interface RunningWorker {
  taskQueue: string;
  /** Settles when the worker has stopped; rejects when it failed. */
  readonly stopped: Promise<void>;
  /** Takes no more work, waits for the calls under way (`limits.graceSeconds`), then as `stopped`. */
  stop(): Promise<void>;
}

/**
 * Starts a worker for everything: workflows, retrieval and model calls. It is what the environment
 * says, and what is given as an option in its place.
 *
 * @throws Failure that names the variable to change when the configuration cannot be used.
 * @example
 * const worker = await runWorker({ connect: { address }, namespace: 'default' });
 * process.once('SIGTERM', () => worker.stop());
 * await worker.stopped;
 */
export async function runWorker(options: RunWorkerOptions): Promise<RunningWorker> {
  const { connect, namespace, ...plugin } = options;
  const { taskQueue } = readConfig(options.env ?? process.env);
  const connection = await NativeConnection.connect(connect);
  try {
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      plugins: [durableRag(plugin)],
    });
    return running(worker, taskQueue, () => connection.close());
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Runs a worker that has been made, and says how to stop it. */
export function running(
  worker: Worker,
  taskQueue: string,
  close: () => Promise<void>,
): RunningWorker {
  const run = async () => {
    try {
      await worker.run();
    } finally {
      await close();
    }
  };
  const stopped = run();
  // Whoever awaits `stopped` sees the failure; until then it must not end the process.
  stopped.catch(() => {});
  return {
    taskQueue,
    stopped,
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await stopped;
    },
  };
}
