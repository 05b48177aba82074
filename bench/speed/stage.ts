/** Everything the measurement needs, each part as `durable-rag dev` has it, in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../../client/create-client.js';
import { TASK_QUEUE } from '../../methods/task-queues.js';
import { openCorpora } from '../../retrieval/corpora.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { homeFolder } from '../../temporal-dev/home.js';
import { freePort } from '../../temporal-dev/ports.js';
import { obtainTemporalBinary } from '../../temporal-dev/temporal-binary.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { buildCorpus, CORPUS } from './corpus.js';
import type { MockModelRequest, MockModelState } from './mock-model.js';
import { plainSure } from './plain-sure.js';
import { cpuOf, serverPid } from './process-cpu.js';
import { quietReporter } from './quiet-reporter.js';
import { type Remote, startRemote } from './remote.js';
import type { WorkerRequest, WorkerUsage } from './worker.js';

export interface Stage {
  serverVersion: string;
  client: DurableRagClient;
  connection: Connection;
  /** The bench's corpus, opened in this process. */
  retriever: Retriever;
  plain: ReturnType<typeof plainSure>;
  model: Remote<MockModelRequest, MockModelState>;
  worker: Remote<WorkerRequest, WorkerUsage>;
  /** CPU milliseconds of the Temporal server so far; undefined where that cannot be read. */
  serverCpu(): Promise<number | undefined>;
}

const MODEL = 'mock-1';
const SEED = 7;

/** Sets everything up, lets `measure` work with it, and takes it down whatever happens. */
export async function onStage<T>(measure: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-speed-'));
  const takeDown: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measure(await setUp(folder, takeDown));
  } finally {
    for (const step of takeDown.reverse()) await step();
  }
}

async function setUp(folder: string, takeDown: (() => unknown)[]): Promise<Stage> {
  const { env } = process;
  const corporaFolder = join(folder, 'corpora');
  await buildCorpus(folder, corporaFolder, SEED);
  const retriever = await openCorpora(corporaFolder).open(CORPUS);

  const context = { env, home: homeFolder(env), reporter: quietReporter };
  const binary = await obtainTemporalBinary(context);
  const port = await freePort();
  const server = await startTemporalServer({
    binary: binary.path,
    port,
    uiPort: null,
    dbFilename: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
  });
  takeDown.push(() => server.stop());
  const { address, serverVersion } = server;
  const pid = await serverPid('temporal', port);

  const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
  takeDown.push(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: 0 });

  const worker = await startRemote<WorkerRequest, WorkerUsage>('worker.js', {
    TEMPORAL_ADDRESS: address,
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: baseUrl,
    DURABLE_RAG_HOME: folder,
    DURABLE_RAG_MODEL: MODEL,
    ...unset('STORE', 'CORPORA', 'PROMPTS', 'PRICES', 'TASK_QUEUE', 'CONCURRENCY'),
  });
  takeDown.push(() => worker.stop());

  const connection = await Connection.connect({ address });
  takeDown.push(() => connection.close());
  return {
    serverVersion,
    client: await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE }),
    connection,
    retriever,
    plain: plainSure({ baseUrl, model: MODEL, retriever }),
    model,
    worker,
    serverCpu: () => cpuOf(pid),
  };
}

/** What the user has set for their own worker does not reach the one under measurement. */
function unset(...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`DURABLE_RAG_${name}`, '']));
}
