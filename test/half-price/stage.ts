/** A Temporal server, workers and a provider of batches, each of which can be killed. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { poolOf } from '../../activities/provider-batches/pool.js';
import { createClient } from '../../client/create-client.js';
import { openDatasets } from '../../client/open-datasets.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { freePort } from '../../temporal-dev/ports.js';
import { TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import { inventors } from '../chaos/answers.js';
import { answerTo, numberOf } from '../chaos/fault-model.js';
import { immortalServer, immortalWorker } from '../chaos/processes.js';
import { type BatchServerOptions, startBatchServer } from '../support/batch-server.js';
import { promptOf } from '../support/telephone.js';

/** Its list prices are in the package, those of batches and flex among them. */
const MODEL = 'gpt-5-mini';

/** Histories whose bytes are asked for, of one type. */
const MOST_DESCRIBED = 200;

/** How long a batch takes at the provider. */
const BATCH_MS = 3000;

interface HistorySize {
  /** How many histories there are. */
  count: number;
  /** Of the longest. */
  events: number;
  bytes: number;
}

export type HalfPriceStage = Awaited<ReturnType<typeof startHalfPriceStage>>;

/** One batch expires, and the next is refused for its tokens. */
const TROUBLED: NonNullable<BatchServerOptions['batch']> = (n) =>
  n === 1 ? { expires: 0.6 } : n === 2 ? 'token-limit' : undefined;

/** @param batch What becomes of each batch, by its number. */
export async function startHalfPriceStage(
  count: number,
  batch: NonNullable<BatchServerOptions['batch']> = TROUBLED,
) {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-half-price-'));
  const home = join(folder, 'home');
  await mkdir(home);
  const provider = await startBatchServer({
    reply: (body) => ({ text: answerTo(promptOf(body)) }),
    durationMs: BATCH_MS,
    // One request in twenty fails the first time it is in a batch.
    line: (body, times) =>
      times === 0 && numberOf(promptOf(body)) % 20 === 0
        ? { status: 500, error: { message: 'internal error' } }
        : undefined,
    batch,
  });
  const port = await freePort();
  const server = await immortalServer(folder, port);
  const env = {
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'none',
    DURABLE_RAG_MODEL: MODEL,
    DURABLE_RAG_EMBEDDING_MODEL: 'local',
    DURABLE_RAG_HOME: home,
  };
  const workers = [1, 2].map((k) => immortalWorker(`worker ${k}`, env, 0));
  const engine = await openSearch({ corpora: join(home, 'corpora') });
  await ensureSampleCorpus(engine);
  const questions = inventors(count);
  const file = join(home, 'questions.jsonl');
  await writeFile(file, questions.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const datasets = await openDatasets(env);
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS });
  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  const mortals = [server, ...workers];
  const { workflow } = new Client({ connection });
  async function longest(query: string): Promise<HistorySize> {
    const sizes = { count: 0, events: 0, bytes: 0 };
    for await (const { workflowId, runId, closeTime } of workflow.list({ query })) {
      sizes.count++;
      // Of thousands of questions some show what all are like.
      if (sizes.count > MOST_DESCRIBED && closeTime) continue;
      const { historyLength, historySize = 0 } = await workflow
        .getHandle(workflowId, runId)
        .describe();
      sizes.events = Math.max(sizes.events, historyLength);
      sizes.bytes = Math.max(sizes.bytes, historySize);
    }
    return sizes;
  }
  return {
    ...{
      client,
      provider,
      engine,
      questions,
      dataset,
      runs: fileRuns(join(home, 'runs')),
      pause: (ms: number) => sleep(ms),
    },
    /** Kills one of the workers or the server, in turn. */
    async kill(turn: number) {
      await mortals[turn % mortals.length]?.kill();
    },
    /** Events and bytes of the collector's longest history. */
    collectorHistory() {
      const workflowId = `batches/${TASK_QUEUE}/${poolOf(provider.baseUrl, MODEL)}`;
      return longest(`WorkflowId = '${workflowId}'`);
    },
    /** The same of the workflows of a type. */
    longestHistory: (type: string) => longest(`WorkflowType = '${type}'`),
    async end() {
      await engine.close();
      await connection.close();
      await Promise.all(mortals.map((one) => one.end()));
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
