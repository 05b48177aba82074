/** A batch while the model fails, and workers and the Temporal server are killed at random. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { expect, type TestContext, test } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { seededRandom } from '../../evaluation/random.js';
import { TASK_QUEUE } from '../../methods/task-queues.js';
import { fileRuns } from '../../results/file-runs.js';
import type { RunAnswer } from '../../results/run-store.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { freePort } from '../../temporal-dev/ports.js';
import { startFaultModel } from './fault-model.js';
import { immortalServer, immortalWorker } from './processes.js';

const QUESTIONS = Number(process.env.CHAOS_QUESTIONS ?? 100);
const MINUTES = 60_000;

/** How long after an answer has gone out the worker may not have kept it yet, on a busy machine. */
const NOT_YET_KEPT_MS = 3_000;

test(
  'loses no question, changes no answer and repeats no call it has the answer of',
  async (context) => {
    const disturbed = await runBatch(context, true);
    const undisturbed = await runBatch(context, false);
    context.annotate(
      `${disturbed.kills.length} kills, ${disturbed.requests} requests, ${disturbed.repeated.length} repeated, faults: ${JSON.stringify(disturbed.faults)}`,
    );

    expect(disturbed.answers).toHaveLength(QUESTIONS);
    expect(disturbed.answers).toEqual(undisturbed.answers);
    // A worker that dies between receiving an answer and keeping it has not received it.
    const unexplained = disturbed.repeated.filter(({ times }) =>
      times.slice(0, -1).some((time) => !diedRightAfter(time, disturbed.kills)),
    );
    expect(unexplained).toEqual([]);
    expect(undisturbed.repeated).toEqual([]);
    // The disturbance was one.
    expect(disturbed.kills.length).toBeGreaterThan(2);
    expect(Object.keys(disturbed.faults)).toHaveLength(9);
  },
  40 * MINUTES,
);

function diedRightAfter(time: number, kills: readonly Kill[]): boolean {
  return kills.some(
    ({ name, at }) => name !== 'Temporal' && at >= time - 100 && at <= time + NOT_YET_KEPT_MS,
  );
}

interface Kill {
  name: string;
  at: number;
}

/** Runs a batch on a server and two workers of its own, with everything going wrong or nothing. */
async function runBatch({ onTestFinished }: TestContext, isDisturbed: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-chaos-'));
  await ensureSampleCorpus(await openSearch({ corpora: join(folder, 'corpora') }));
  const model = await startFaultModel(isDisturbed);
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const server = await immortalServer(folder, port);
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.server.baseUrl,
    OPENAI_API_KEY: 'none',
    DURABLE_RAG_HOME: folder,
  };
  const workers = ['worker 1', 'worker 2'].map((name) => immortalWorker(name, env));
  const victims = [...workers, server];
  let over = false;
  const end = async () => {
    over = true;
    await Promise.all(victims.map((victim) => victim.end()));
    await model.server.close();
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });

  const dataset = join(folder, 'questions.jsonl');
  await writeFile(dataset, questionLines());
  const connection = await Connection.connect({ address });
  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  const handle = await client.startBatch({
    run: 'chaos',
    method: 'hyde',
    dataset,
    options: { passages: 2 },
    limits: { callTimeoutSeconds: 10, attempts: 50 },
  });
  const kills: Kill[] = [];
  const killing = (async () => {
    const random = seededRandom('chaos');
    while (isDisturbed && !over) {
      await sleep(2_000 + random() * 8_000);
      const victim = victims[Math.floor(random() * victims.length)];
      if (over || !victim) break;
      kills.push({ name: victim.name, at: Date.now() });
      await victim.kill();
    }
  })();
  await handle.result();
  over = true;
  await killing;

  const runs = fileRuns(join(folder, 'runs'));
  const answers: unknown[] = [];
  for await (const { question } of runs.questions('chaos')) {
    answers.push(comparable(await runs.get('chaos', question.id)));
  }
  await connection.close();
  await end();
  const { faults } = model;
  return {
    answers,
    kills,
    faults,
    repeated: model.repeated(),
    requests: model.server.requests.length,
  };
}

function questionLines(): string {
  const question = (i: number) => ({
    id: `q${i}`,
    question: `What did inventor number ${i} make?`,
    golden_answers: [`answer ${i}`],
  });
  return Array.from({ length: QUESTIONS }, (_, i) => `${JSON.stringify(question(i))}\n`).join('');
}

/** An answer without what may differ: when it was given, and how often it was asked again. */
function comparable(answer: RunAnswer | undefined) {
  if (!answer?.result) return answer;
  const { result, scores, retrieval } = answer;
  const { outcome, answer: text, evidence, chain } = result;
  return { id: answer.id, outcome, text, evidence, chain, scores, retrieval };
}
