/** Runs the local stack with a worker, for `dev`, `demo` and, if needed, `ask`. */
import type { Connection } from '@temporalio/client';
import { servingProcesses, untilListed } from '../client/recent-pollers.js';
import { Failure } from '../core/failure.js';
import { ROLES } from '../core/roles.js';
import { ensureSampleCorpus } from '../retrieval/sample-corpus.js';
import { obtainEmbeddingModel } from '../temporal-dev/fetch-embedding-model.js';
import { type LocalStack, startLocalStack } from '../temporal-dev/stack.js';
import { readConfig } from '../workers/config.js';
import type { RunningWorker } from '../workers/run-worker.js';
import type { CliContext } from './context.js';
import { type OpenServer, reachServer } from './reach-server.js';
import { installRuntime } from './runtime.js';
import { withSearch } from './with-search.js';
import { workerEnvironment } from './worker-environment.js';

/** A local stack that this process runs, with a worker in this process. */
export interface RunningStack {
  temporal: LocalStack['temporal'];
  /** Connection to the server, closed with the stack. */
  connection: Connection;
  /**
   * Promise that rejects with Failure Connection if a part of the stack ends by itself; it never
   * resolves.
   */
  lost: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts a worker in this process, and those of a Temporal server and a model that are not already
 * running or configured. Indexes the sample corpus if it is missing and the search engine permits
 * it, and warns of other workers on the task queue. Returns the stack once the server lists the
 * worker.
 *
 * @throws SetupError if a part cannot be obtained; Failure as `runWorker`.
 */
export async function startStackWithWorker(context: CliContext): Promise<RunningStack> {
  const { reporter } = context;
  // Loaded here, since most commands use a running worker and do not need these packages.
  const { runWorker } = await import('../workers/run-worker.js');
  const stack = await startLocalStack(context, context.config?.model !== undefined);
  let connection: Connection | undefined;
  try {
    connection = await reachServer(stack.temporal);
    const server = { connection, namespace: stack.temporal.namespace };
    await installRuntime(reporter, { server });
    await sampleCorpus(context);
    await warnOfOthers(server, context);
    const worker = await runWorker({
      localEmbeddings: () => obtainEmbeddingModel(context),
      warn: reporter.warn,
      ...context.config,
      connect: stack.temporal.connectConfig,
      namespace: stack.temporal.namespace,
      env: workerEnvironment(context.env, stack.model),
      // The model stops with it, so there is little to wait for.
      limits: { ...context.config?.limits, graceSeconds: 2 },
      // It takes every role, even if the workers of a cluster are limited to some.
      only: ROLES,
      versioned: false,
    });
    await Promise.race([untilListed(server, worker, context.signal), worker.stopped]);
    reporter.part('Worker', `polls the task queue ${worker.taskQueue}`);
    return running(stack, worker, connection);
  } catch (error) {
    await connection?.close();
    await stack.stop();
    throw error;
  }
}

/** Milliseconds that the server may take to list its workers. */
const ANSWERS_MS = 3_000;

/**
 * Warns about other workers on the task queue, which take part of the work with their own settings.
 */
async function warnOfOthers(server: OpenServer, { env, reporter }: CliContext): Promise<void> {
  const { taskQueue } = readConfig(env);
  const others = await server.connection
    .withDeadline(Date.now() + ANSWERS_MS, () => servingProcesses(server, taskQueue))
    .catch(() => []);
  if (others.length === 0) return;
  reporter.warn(
    `Another worker already polls the task queue ${taskQueue} (${others.join(', ')}): both take questions, each with its own settings and model. Stop it, or use another queue for this one (--task-queue, or DURABLE_RAG_TASK_QUEUE).`,
  );
}

/**
 * Indexes the sample corpus, unless it is indexed or the configured engine allows only searches.
 */
async function sampleCorpus(context: CliContext): Promise<void> {
  try {
    await withSearch(context, ensureSampleCorpus);
  } catch (error) {
    if (!(error instanceof Failure && error.type === 'Permission')) throw error;
    context.reporter.warn(`The sample corpus is not indexed: ${error.message}`);
  }
}

function running(stack: LocalStack, worker: RunningWorker, connection: Connection): RunningStack {
  let stopping = false;
  const ended = Promise.race([
    stack.exited,
    worker.stopped.then(() => (stopping ? new Promise<never>(() => {}) : 'The worker ended.')),
  ]);
  const lost = ended.then((message) => {
    throw new Failure('Connection', message);
  });
  lost.catch(() => {});
  return {
    temporal: stack.temporal,
    connection,
    lost,
    async stop() {
      stopping = true;
      // The worker closes first: it reports results to the server.
      try {
        await worker.stop();
      } finally {
        await connection.close();
        await stack.stop();
      }
    },
  };
}
