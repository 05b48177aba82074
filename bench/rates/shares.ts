/** Measures how runs and tenants share the calls under one limit, and what that costs a run alone. */
import { Client } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../../client/create-client.js';
import { queueRates } from '../../client/queue-rates.js';
import type { RunHandle } from '../../client/run.js';
import { modelQueue, TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import { figuresTable } from '../figures-table.js';
import { questions as madeUp, writer } from '../speed/corpus.js';
import type { MockModelRequest, MockModelState } from '../speed/mock-server.js';
import { type Remote, startRemote } from '../speed/remote.js';
import { workerEnv } from '../speed/worker-env.js';
import { onTemporal } from '../temporal-stage.js';

/** Calls a minute, of all. */
const LIMIT = 600;
const LATENCY_MS = 300;
/** Of a question by SuRe. */
const CALLS_OF_MANY = 7;
/** Questions of each method, so that each run makes as many calls. */
const QUESTIONS = { sure: 60, base: 60 * CALLS_OF_MANY } as const;
/** How long one run is alone before the other begins, and how long both are then watched. */
const ALONE_MS = 5_000;
const TOGETHER_MS = 25_000;
/** Questions of the first tenant that are asked at once. */
const AHEAD = 100;
const LOOK_MS = 100;

interface Stage {
  client: DurableRagClient;
  model: Remote<MockModelRequest, MockModelState>;
}

/** Returns a table of the figures, in Markdown. */
export async function measureShares(): Promise<string> {
  return onTemporal(async ({ folder, temporal, connection, takeDown }) => {
    const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
    takeDown(() => model.stop());
    const { baseUrl } = await model.ask({ latencyMs: LATENCY_MS });
    const worker = await startRemote(
      'worker.js',
      workerEnv({ folder, temporal }, baseUrl, 'mock-1'),
    );
    takeDown(() => worker.stop());
    const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
    await queueRates(new Client({ connection })).set(modelQueue(TASK_QUEUE), LIMIT);
    const stage = { client, model };
    const [alone, together] = [await runAlone(stage), await runsTogether(stage)];
    const tenants = { one: await behind(stage, false), two: await behind(stage, true) };
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    return figuresTable([
      ['', 'measured'],
      ['a run alone, seconds to the first answer', seconds(alone.firstMs)],
      ['to the median answer', seconds(alone.medianMs)],
      ['to the last answer', seconds(alone.lastMs)],
      [
        'two runs, share of the run of one call a question beside SuRe',
        `${(together * 100).toFixed(0)} %`,
      ],
      [`one question behind ${AHEAD} of the same tenant, seconds`, seconds(tenants.one)],
      [`behind ${AHEAD} of another tenant, seconds`, seconds(tenants.two)],
    ]);
  });
}

function start({ client }: Stage, run: string, method: keyof typeof QUESTIONS, seed: number) {
  const texts = writer(seed);
  const asked = madeUp(seed);
  const dataset = Array.from({ length: QUESTIONS[method] }, (_, n) => ({
    id: `${n}`,
    question: asked.next().value,
    answers: ['Marta Lindqvist'],
    passages: [{ title: `The ${n}th`, text: texts.sentence(12) }],
  }));
  return client.startRun({ run, method, dataset });
}

/** Returns when the first, the median and the last answer of a run by SuRe were there. */
async function runAlone(stage: Stage) {
  const since = performance.now();
  const run = await start(stage, 'alone', 'sure', 1);
  const at: number[] = [];
  while (at.length < QUESTIONS.sure) {
    const { done } = await run.progress();
    while (at.length < done) at.push(performance.now() - since);
    await passed(LOOK_MS);
  }
  const [firstMs = 0] = at;
  return { firstMs, medianMs: at[QUESTIONS.sure / 2] ?? 0, lastMs: at.at(-1) ?? 0 };
}

/** Returns the share of the calls that a run of one call a question got beside one of many. */
async function runsTogether(stage: Stage): Promise<number> {
  const many = await start(stage, 'many', 'sure', 2);
  await passed(ALONE_MS);
  const one = await start(stage, 'one', 'base', 3);
  await until(async () => (await one.progress()).done > 0);
  const before = await callsSoFar(stage, one);
  await passed(TOGETHER_MS);
  const after = await callsSoFar(stage, one);
  await Promise.all([many.cancel(), one.cancel()]);
  await Promise.allSettled([many.result(), one.result()]);
  return (after.ofOne - before.ofOne) / (after.all - before.all);
}

async function callsSoFar({ model }: Stage, one: RunHandle) {
  const [{ done }, { calls }] = await Promise.all([
    one.progress(),
    model.ask({ latencyMs: LATENCY_MS }),
  ]);
  return { ofOne: done, all: calls };
}

/** Returns how long a question waits behind many, of its own tenant or of another one. */
async function behind({ client }: Stage, isOther: boolean): Promise<number> {
  const texts = madeUp(isOther ? 4 : 5);
  const input = () => ({ question: texts.next().value, options: { passages: 0 } });
  const asked = await Promise.all(
    Array.from({ length: AHEAD }, () => client.start('base', input(), { tenant: 'first' })),
  );
  const since = performance.now();
  await client.ask('base', input(), { tenant: isOther ? 'second' : 'first' });
  const waitedMs = performance.now() - since;
  await Promise.all(asked.map((question) => question.result()));
  return waitedMs;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await passed(LOOK_MS);
}

function passed(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
