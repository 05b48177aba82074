/** A worker process: configuration in, polling workers out. */
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { Failure } from '../methods/failure.js';
import { ensureSampleCorpus } from '../retrieval/sample-corpus.js';
import type { SearchEngine } from '../retrieval/search-engine.js';
import type { Reporter } from '../temporal-dev/reporter.js';
import type { TemporalConnectConfig } from '../temporal-dev/temporal-connection.js';
import { buildEmbeddings } from './build-embeddings.js';
import { buildPorts } from './build-ports.js';
import { readConfig } from './config.js';
import { registerSearchAttributes } from './search-attributes.js';
import { startWorkers, type Workers } from './start-workers.js';
import { workflowBundle } from './workflow-bundle.js';

export interface WorkerOptions {
  /** How to reach Temporal: address, and tls, apiKey and metadata where it needs them. */
  connect: TemporalConnectConfig;
  namespace: string;
  /** OPENAI_* and DURABLE_RAG_* variables; see the README. */
  env: NodeJS.ProcessEnv;
  /** Told what a person should know but that stops nothing. */
  warn(message: string): void;
  /**
   * Told of the download of the local embedding model, where a question is the first to need it.
   *
   * @default `warn` is told, once
   */
  reporter?: Reporter;
}

export interface RunningWorker extends Workers {
  taskQueue: string;
}

/**
 * Starts a worker for everything: workflows, retrieval and model calls.
 *
 * @throws Failure that names the variable to change when the configuration cannot be used.
 * @example
 * const worker = await runWorker({ connect: { address }, namespace, env: process.env, warn });
 * process.once('SIGTERM', () => worker.stop());
 * await worker.stopped;
 */
export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { connect, namespace, env, warn, reporter = reporterOf(warn) } = options;
  const config = readConfig(env);
  const ending = new AbortController();
  const embeddings = await buildEmbeddings({ config, env, reporter, signal: ending.signal });
  const { ports, search, close } = await buildPorts(config, embeddings);
  try {
    const [trouble] = await Promise.all([
      findSearchAttributes(options),
      sampleCorpus(search, warn),
    ]);
    if (trouble !== undefined) {
      warn(`${trouble} Questions carry no search attributes; everything else works.`);
    }
    const connection = await NativeConnection.connect(connect);
    const workers = await startWorkers({
      connection,
      namespace,
      taskQueue: config.taskQueue,
      ports: { ...ports, searchAttributes: trouble === undefined },
      concurrency: config.concurrency,
      workflowBundle: workflowBundle(),
    });
    const stopped = closeAfter(workers.stopped, async () => {
      await connection.close();
      await close();
    });
    stopped.catch(() => {});
    return {
      taskQueue: config.taskQueue,
      stopped,
      async stop() {
        ending.abort(new Error('The worker ends.'));
        await workers.stop();
        await stopped;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes sure that there is a sample corpus, unless the worker may search only. */
async function sampleCorpus(search: SearchEngine, warn: WorkerOptions['warn']): Promise<void> {
  try {
    await ensureSampleCorpus(search);
  } catch (error) {
    if (!(error instanceof Failure && error.type === 'Permission')) throw error;
    warn(`The sample corpus is not indexed: ${error.message}`);
  }
}

function reporterOf(warn: WorkerOptions['warn']): Reporter {
  return {
    part: (name, text) => warn(`${name}: ${text}`),
    warn,
    progress: () => ({ update() {}, finish() {} }),
  };
}

async function closeAfter(work: Promise<void>, close: () => Promise<void>): Promise<void> {
  try {
    await work;
  } finally {
    await close();
  }
}

/** Registers the search attributes; gives the reason where the server does not have them. */
async function findSearchAttributes({
  connect,
  namespace,
}: WorkerOptions): Promise<string | undefined> {
  const connection = await Connection.connect(connect);
  try {
    const trouble = await registerSearchAttributes(connection, namespace);
    return trouble && `The search attributes could not be registered: ${trouble}.`;
  } finally {
    await connection.close();
  }
}
