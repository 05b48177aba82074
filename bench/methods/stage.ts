/** The local stack with a worker in this process, as `durable-rag ask` has it, in a temporary folder. */
import { join } from 'node:path';
import { createClient, type DurableRagClient } from '../../client/create-client.js';
import { homeFolder } from '../../stores/home.js';
import { obtainEmbeddingModel } from '../../temporal-dev/embedding-model.js';
import { findModel } from '../../temporal-dev/local-model.js';
import { freePort } from '../../temporal-dev/ports.js';
import { runWorker } from '../../workers/run-worker.js';
import { TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import { cpuOf, serverPid } from '../speed/process-cpu.js';
import { quietReporter } from '../speed/quiet-reporter.js';
import { onTemporal, type TemporalStage } from '../temporal-stage.js';

export interface Stage {
  client: DurableRagClient;
  /** The name of the local model. */
  model: string;
  /** CPU milliseconds of its server so far; undefined where that cannot be read. */
  modelCpu(): Promise<number | undefined>;
}

const NAMESPACE = 'default';

/**
 * Sets everything up, lets `work` use it, and takes it down whatever happens. The model server is
 * a new one each time: nothing of what was read before is in its prefix cache.
 *
 * @param corpora folder of the indexes.
 */
export function onStage<T>(corpora: string, work: (stage: Stage) => Promise<T>): Promise<T> {
  return onTemporal(async (stage) => work(await setUp(corpora, stage)));
}

async function setUp(
  corpora: string,
  { folder, temporal, connection, takeDown }: TemporalStage,
): Promise<Stage> {
  // Whatever endpoint the user has set up, this is about the local model, and one of our own.
  const modelPort = await freePort();
  const env = {
    ...process.env,
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    DURABLE_RAG_MODEL_PORT: String(modelPort),
  };
  const context = { env, home: homeFolder(process.env), reporter: quietReporter };
  const { baseUrl = '', model = '', child } = await findModel(context);
  takeDown(async () => child?.stop());
  // Which of the two serves depends on the CPU.
  const modelPid =
    (await serverPid('llama-server', modelPort)) ?? (await serverPid('python3', modelPort));
  const worker = await runWorker({
    connect: { address: temporal.address },
    namespace: NAMESPACE,
    env: {
      ...process.env,
      OPENAI_API_KEY: '',
      OPENAI_BASE_URL: baseUrl,
      DURABLE_RAG_MODEL: model,
      DURABLE_RAG_EMBEDDING_MODEL: 'local',
      DURABLE_RAG_CORPORA: corpora,
      DURABLE_RAG_STORE: join(folder, 'store'),
      DURABLE_RAG_CONCURRENCY: '2',
    },
    warn: quietReporter.warn,
    localEmbeddings: () => obtainEmbeddingModel(context),
  });
  takeDown(() => worker.stop());
  const client = await createClient({ connection, namespace: NAMESPACE, taskQueue: TASK_QUEUE });
  return { client, model, modelCpu: () => cpuOf(modelPid) };
}
