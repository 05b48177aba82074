/** `durable-rag worker`: a worker for a Temporal server that runs elsewhere. */
import { GracefulShutdownPeriodExpiredError } from '@temporalio/worker';
import { Failure } from '../../methods/failure.js';
import { obtainEmbeddingModel } from '../../temporal-dev/embedding-model.js';
import { reasonOf } from '../../temporal-dev/setup-error.js';
import { startLocalStack } from '../../temporal-dev/stack.js';
import { connectTemporal } from '../../temporal-dev/temporal-connection.js';
import { HTTP_ADDRESS, httpAddress } from '../../workers/health/address.js';
import { type RunningWorker, runWorker } from '../../workers/run-worker.js';
import type { CliContext } from './context.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { installRuntime } from './runtime.js';

const TEMPORAL_TIMEOUT_MS = 5_000;

/**
 * Polls until Ctrl-C or SIGTERM, then takes nothing new and waits for the calls under way: an answer
 * that nobody waits for is paid for again. A second Ctrl-C ends at once.
 */
export async function worker(context: CliContext): Promise<number> {
  const { env, reporter, signal } = context;
  const http = httpAddress(env[HTTP_ADDRESS]);
  const metricsUrl = await installRuntime(reporter, { metrics: http !== undefined });
  const { temporal } = await startLocalStack({
    ...context,
    parts: { temporal: false, model: false, search: false },
  });
  const { connection } = await connectTemporal(temporal.connectConfig, TEMPORAL_TIMEOUT_MS).catch(
    (error: unknown) => {
      throw new Failure(
        'Connection',
        `No Temporal server answers at ${temporal.address} (${reasonOf(error)}). Set TEMPORAL_ADDRESS, or start one with: durable-rag dev`,
      );
    },
  );
  await connection.close();

  const running = await runWorker({
    localEmbeddings: () => obtainEmbeddingModel(context),
    warn: reporter.warn,
    ...context.config,
    connect: temporal.connectConfig,
    namespace: temporal.namespace,
    env,
    http,
    metricsUrl,
  });
  if (running.healthUrl !== undefined) {
    reporter.part('Health', `${running.healthUrl}/healthz, /readyz and /metrics`);
  }
  reporter.part('Worker', `polls ${running.taskQueue} at ${temporal.address}; Ctrl-C stops it`);
  try {
    await untilInterrupted(running.stopped, signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    reporter.part('Stopping', 'when the calls under way have been answered; Ctrl-C stops at once');
  }
  await stopped(running, reporter);
  return 0;
}

/** What did not end though it was cancelled ends with the process: that is no failure of the stop. */
async function stopped(running: RunningWorker, reporter: CliContext['reporter']): Promise<void> {
  try {
    await running.stop();
  } catch (error) {
    if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
    reporter.warn('Some of what was under way did not end, and begins again with another worker.');
  }
}
