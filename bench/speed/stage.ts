/** Everything the measurement needs, each part as `durable-rag dev` has it, in a temporary folder. */
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../../client/create-client.js';
import { TASK_QUEUE } from '../../methods/task-queues.js';
import { openCorpora } from '../../retrieval/corpora.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { onTemporal, type TemporalStage } from '../temporal-stage.js';
import { buildCorpus, CORPUS } from './corpus.js';
import type { MockModelRequest, MockModelState } from './mock-server.js';
import { plainSure } from './plain-sure.js';
import { cpuOf, serverPid } from './process-cpu.js';
import { type Remote, startRemote } from './remote.js';
import type { WorkerRequest, WorkerUsage } from './worker.js';
import { workerEnv } from './worker-env.js';

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
export function onStage<T>(measure: (stage: Stage) => Promise<T>): Promise<T> {
  return onTemporal(async (stage) => measure(await setUp(stage)));
}

async function setUp({ folder, temporal, connection, takeDown }: TemporalStage): Promise<Stage> {
  const corporaFolder = join(folder, 'corpora');
  await buildCorpus(folder, corporaFolder, SEED);
  const retriever = await openCorpora(corporaFolder).open(CORPUS);
  const pid = await serverPid('temporal', temporal.port);

  const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
  takeDown(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: 0 });

  const worker = await startRemote<WorkerRequest, WorkerUsage>(
    'worker.js',
    workerEnv({ folder, temporal }, baseUrl, MODEL),
  );
  takeDown(() => worker.stop());

  return {
    serverVersion: temporal.serverVersion,
    client: await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE }),
    connection,
    retriever,
    plain: plainSure({ baseUrl, model: MODEL, retriever }),
    model,
    worker,
    serverCpu: () => cpuOf(pid),
  };
}
