/** A Temporal server, workers and a provider of batches, each of which can be killed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { openDatasets } from '../../client/open-datasets.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { inventors } from '../chaos/answers.js';
import { answerTo, numberOf } from '../chaos/fault-model.js';
import { startProcesses } from '../chaos/stage.js';
import { type BatchServerOptions, startBatchServer } from '../support/batch-server.js';
import { temporaryFolder } from '../support/folder.js';
import { promptOf } from '../support/telephone.js';

/** Its list prices are in the package, those of batches and flex among them. */
const MODEL = 'gpt-5-mini';

/** Histories whose bytes are asked for, of one type. */
const MOST_DESCRIBED = 200;

/** How long a batch takes at the provider. */
const BATCH_MS = 3000;

export type HalfPriceStage = Awaited<ReturnType<typeof startHalfPriceStage>>;

/** One batch expires, and the next is refused for its tokens. */
const TROUBLED: NonNullable<BatchServerOptions['batch']> = (n) =>
  n === 1 ? { expires: 0.6 } : n === 2 ? 'token-limit' : undefined;

/** @param batch What becomes of each batch, by its number. */
export async function startHalfPriceStage(
  count: number,
  batch: NonNullable<BatchServerOptions['batch']> = TROUBLED,
) {
  const folder = await temporaryFolder();
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
  const env = {
    OPENAI_BASE_URL: provider.baseUrl,
    DURABLE_RAG_MODEL: MODEL,
    DURABLE_RAG_EMBEDDING_MODEL: 'local',
    DURABLE_RAG_HOME: home,
  };
  const { client, connection, server, workers, end } = await startProcesses(folder, env, 0);
  const engine = await openSearch({ corpora: join(home, 'corpora') });
  await ensureSampleCorpus(engine);
  const questions = inventors(count);
  const file = join(home, 'questions.jsonl');
  await writeFile(file, questions.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const datasets = await openDatasets(env);
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const mortals = [server, ...workers];
  const { workflow } = new Client({ connection });
  return {
    client,
    provider,
    engine,
    questions,
    dataset,
    runs: fileRuns(join(home, 'runs')),
    /** Kills one of the workers or the server, in turn. */
    async kill(turn: number) {
      await mortals[turn % mortals.length]?.kill();
    },
    /** How many histories the workflows of a type have, and events and bytes of the longest. */
    async longestHistory(type: string) {
      const sizes = { count: 0, events: 0, bytes: 0 };
      const query = `WorkflowType = '${type}'`;
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
    },
    async end() {
      await engine.close();
      await end();
      await provider.close();
    },
  };
}
