/** `durable-rag worker`: runs a worker for a Temporal server. */
import { untilListed } from '../client/recent-pollers.js';
import { ROLES } from '../core/roles.js';
import { describeUnknown, setting, unknownVariables } from '../core/settings.js';
import { obtainEmbeddingModel } from '../temporal-dev/fetch-embedding-model.js';
import { configuredTemporal } from '../temporal-dev/temporal.js';
import { runWorker } from '../workers/run-worker.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { reachServer } from './reach-server.js';
import { installRuntime } from './runtime.js';

/**
 * Runs a worker until Ctrl-C or SIGTERM. It then takes no new task and waits for running calls,
 * which would otherwise be paid for again; a second Ctrl-C stops at once. Returns exit code 0.
 *
 * @throws Failure that names the variable to change if the configuration cannot be used.
 */
export async function worker(context: CliContext): Promise<number> {
  const { env, reporter, signal } = context;
  // A worker's variables come from a shared configuration more often than from a person, so unknown
  // ones get a warning. Reading the settings refuses names that are almost one of ours.
  for (const unknown of unknownVariables(env)) reporter.warn(describeUnknown(unknown));
  const http = setting(env, 'DURABLE_RAG_HTTP');
  const temporal = await configuredTemporal(context);
  const { connectConfig: connect, namespace } = temporal;
  const connection = await reachServer(temporal);
  try {
    const server = { connection, namespace };
    const metricsUrl = await installRuntime(reporter, { metrics: http !== undefined, server });
    const running = await runWorker({
      localEmbeddings: () => obtainEmbeddingModel(context),
      warn: reporter.warn,
      ...context.config,
      connect,
      namespace,
      env,
      http,
      metricsUrl,
    });
    if (running.healthUrl !== undefined) {
      reporter.part('Health', `${running.healthUrl}/healthz, /readyz and /metrics`);
    }
    await Promise.race([untilListed(server, running, signal), running.stopped]);
    const { taskQueue, roles, build } = running;
    const parts = roles.length < ROLES.length ? ` for ${roles.join(' and ')}` : '';
    const version = build === undefined ? '' : ` as version ${build}`;
    reporter.part(
      'Worker',
      `polls ${taskQueue}${parts}${version} at ${connect.address}; Ctrl-C stops it`,
    );
    try {
      await untilInterrupted(running.stopped, signal);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const what = 'when the running calls have been answered; Ctrl-C stops at once';
      reporter.part('Stopping', what);
    }
    await running.stop();
    // Calls that are left would keep the process alive, and nothing reads their answers.
    if (running.hasLeft()) process.exit(EXIT.ok);
    return EXIT.ok;
  } finally {
    await connection.close();
  }
}
