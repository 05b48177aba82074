/** Everything the measurement needs, each part as `durable-rag dev` has it, in a temporary folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../../client/create-client.js';
import type { MethodResult } from '../../core/result.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import type { Retriever } from '../../retrieval/retriever.js';
import type { SureChain } from '../../workflows/methods/sure/chain.js';
import { TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import { onTemporal, type TemporalStage } from '../temporal-stage.js';
import { buildCorpus, CORPUS } from './corpus.js';
import type { MockModelRequest, MockModelState } from './mock-server.js';
import { concurrentScript, langGraph, oneByOneScript, type Peer } from './peers.js';
import { cpuOf, serverPid } from './process-cpu.js';
import { type Remote, startRemote } from './remote.js';
import { type SureCalls, sureCalls } from './sure-calls.js';
import { workerEnv } from './worker-env.js';
import type { WorkerRequest, WorkerUsage } from './worker-usage.js';

export interface Stage {
  serverVersion: string;
  client: DurableRagClient;
  connection: Connection;
  /** The bench's corpus, opened in this process. */
  retriever: Retriever;
  calls: SureCalls;
  /** The programs in this process; the first is what the others are compared with. */
  peers: Peer[];
  /** Bytes that LangGraph has kept so far. */
  peerBytes(): Promise<number>;
  /** Asks by the workflow; a question that was asked before gives its answer again. */
  answer(question: string): Promise<Answered>;
  model: Remote<MockModelRequest, MockModelState>;
  worker: Remote<WorkerRequest, WorkerUsage>;
  /** Where workers keep their stores, results and corpora, and the server its database. */
  folder: string;
  /** CPU milliseconds of the Temporal server so far; NaN where that cannot be read. */
  serverCpu(): Promise<number>;
  /** Says how something that was set up on it is taken down. */
  takeDown: TemporalStage['takeDown'];
}

export type Answered = MethodResult<SureChain>;

const MODEL = 'mock-1';
const SEED = 7;
/** SuRe's default. */
const PASSAGES = 10;

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

  const env = workerEnv({ folder, temporal }, baseUrl, MODEL);
  const worker = await startRemote<WorkerRequest, WorkerUsage>('worker.js', env);
  takeDown(() => worker.stop());

  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  const calls = sureCalls({ baseUrl, model: MODEL, retriever, passages: PASSAGES });
  const checkpoints = join(folder, 'langgraph.db');
  return {
    serverVersion: temporal.serverVersion,
    client,
    connection,
    retriever,
    calls,
    peers: [
      { name: 'script', ask: concurrentScript(calls) },
      { name: 'script, one by one', ask: oneByOneScript(calls), atMost: 1 },
      { name: 'LangGraph JS, SQLite', ask: await langGraph(calls, checkpoints) },
    ],
    peerBytes: async () => (await stat(checkpoints)).size + (await stat(`${checkpoints}-wal`)).size,
    async answer(question) {
      const result = await client.ask('sure', {
        question,
        retrieval: { corpus: CORPUS },
        options: { passages: PASSAGES },
      });
      if (result.outcome === 'answered') return result;
      throw new Error(`"${question}" was not answered: ${JSON.stringify(result)}`);
    },
    model,
    worker,
    folder,
    serverCpu: () => cpuOf(pid),
    takeDown,
  };
}
