/** Measures whether a long batch stays as it began: memory, speed, and the size of histories. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Connection } from '@temporalio/client';
import { CORPUS, questions } from './speed/corpus.js';
import { onStage, type Stage } from './speed/stage.js';
import type { WorkerUsage } from './speed/worker.js';

const USAGE = `Usage: node dist/bench/batch.js [--questions N] [--concurrency N]
  --questions    how many are asked (10000)
  --concurrency  how many at a time (50)`;

const SEED = 13;
const RUN = 'bench';
const PARTS = 10;
const POLL_MS = 200;

/** A tenth of the run. */
interface Part {
  secondsPerQuestion: number;
  /** CPU milliseconds a question; the server's is NaN where it cannot be read. */
  workerCpu: number;
  serverCpu: number;
  /** At its end. */
  worker: WorkerUsage;
}

interface Histories {
  /** Of the batch, which goes on in a new one now and then. */
  batches: number;
  largestBatch: { events: number; bytes: number };
  largestQuestion: { events: number; bytes: number };
}

async function measure(
  stage: Stage,
  count: number,
  concurrency: number,
): Promise<{ parts: Part[]; histories: Histories; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-batch-'));
  try {
    const dataset = join(folder, 'questions.jsonl');
    await writeFile(dataset, questionLines(count));
    const batch = await stage.client.startBatch({
      run: RUN,
      method: 'base',
      dataset,
      corpus: CORPUS,
      options: { passages: 5 },
      concurrency,
    });
    const parts: Part[] = [];
    let began = await account(stage, 0);
    let last = await batch.progress();
    for (;;) {
      // A look may come too late for one history and time out: the next one finds the next.
      last = await batch.progress().catch(() => last);
      const { done, state } = last;
      if (done >= ((parts.length + 1) * count) / PARTS) {
        const ended = await account(stage, done);
        parts.push(partBetween(began, ended));
        began = ended;
      }
      if (state === 'finished') break;
      await sleep(POLL_MS);
    }
    const { outcomes } = await batch.result();
    return { parts, histories: await measureHistories(stage.connection), failed: outcomes.failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the run had taken at a moment. */
interface Account {
  done: number;
  at: number;
  worker: WorkerUsage;
  serverCpu: number;
}

async function account({ worker, serverCpu }: Stage, done: number): Promise<Account> {
  const [usage, cpu] = [await worker.ask('without garbage'), await serverCpu()];
  return { done, at: Date.now(), worker: usage, serverCpu: cpu ?? Number.NaN };
}

function partBetween(began: Account, ended: Account): Part {
  const each = (total: number) => total / (ended.done - began.done);
  return {
    secondsPerQuestion: each((ended.at - began.at) / 1000),
    workerCpu: each(ended.worker.cpuMs - began.worker.cpuMs),
    serverCpu: each(ended.serverCpu - began.serverCpu),
    worker: ended.worker,
  };
}

function questionLines(count: number): string {
  const asked = questions(SEED);
  return Array.from({ length: count }, (_, i) => {
    const question = asked.next().value;
    return `${JSON.stringify({ id: `q${i}`, question, answers: ['Marta Lindqvist'] })}\n`;
  }).join('');
}

async function measureHistories({ workflowService }: Connection): Promise<Histories> {
  const sizes = { evaluateBatch: { events: 0, bytes: 0 }, base: { events: 0, bytes: 0 } };
  let batches = 0;
  for (const type of ['evaluateBatch', 'base'] as const) {
    let nextPageToken: Uint8Array | undefined;
    do {
      const page = await workflowService.listWorkflowExecutions({
        namespace: 'default',
        query: `WorkflowType = '${type}'`,
        pageSize: 1000,
        ...(nextPageToken && { nextPageToken }),
      });
      for (const { historyLength, historySizeBytes } of page.executions) {
        const size = sizes[type];
        size.events = Math.max(size.events, Number(historyLength));
        size.bytes = Math.max(size.bytes, Number(historySizeBytes));
        if (type === 'evaluateBatch') batches++;
      }
      nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
    } while (nextPageToken);
  }
  return { batches, largestBatch: sizes.evaluateBatch, largestQuestion: sizes.base };
}

function table(
  count: number,
  serverVersion: string,
  { parts, histories, failed }: Awaited<ReturnType<typeof measure>>,
): string {
  // The first tenth warms up: the second is what the last is compared with.
  const [, early] = parts;
  const late = parts.at(-1);
  if (!early || !late) throw new Error(`Ask at least ${2 * PARTS} questions.`);
  const row = (what: string, text: (part: Part) => string, value: (part: Part) => number) =>
    `| ${what} | ${text(early)} | ${text(late)} | ${(value(late) / value(early)).toFixed(2)} |`;
  const { batches, largestBatch, largestQuestion } = histories;
  return [
    `${count.toLocaleString('en-US')} questions by the base reader with a mock model, ${failed} failed. ` +
      `Measured on ${cpus()[0]?.model}, ${cpus().length} cores; Node ${process.versions.node}; ` +
      `Temporal server ${serverVersion}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| | second tenth | last tenth | ratio |',
    '| --- | ---: | ---: | ---: |',
    row('time a question', milliseconds, ({ secondsPerQuestion: s }) => s),
    row(
      'CPU of the worker a question',
      ({ workerCpu }) => `${workerCpu.toFixed(0)} ms`,
      ({ workerCpu }) => workerCpu,
    ),
    row(
      'CPU of the Temporal server a question',
      ({ serverCpu }) => `${serverCpu.toFixed(0)} ms`,
      ({ serverCpu }) => serverCpu,
    ),
    row(
      'memory of the worker (RSS)',
      ({ worker }) => megabytes(worker.rss),
      ({ worker }) => worker.rss,
    ),
    row(
      'JavaScript heap of the worker',
      ({ worker }) => megabytes(worker.heapUsed),
      ({ worker }) => worker.heapUsed,
    ),
    '',
    `Time a question, tenth by tenth: ${parts.map(milliseconds).join(', ')}.`,
    `Memory (RSS), tenth by tenth: ${parts.map(({ worker }) => megabytes(worker.rss)).join(', ')}.`,
    '',
    '| largest history | events | size |',
    '| --- | ---: | ---: |',
    `| of the batch, which used ${batches} | ${largestBatch.events} | ${kilobytes(largestBatch.bytes)} |`,
    `| of a question | ${largestQuestion.events} | ${kilobytes(largestQuestion.bytes)} |`,
  ].join('\n');
}

function milliseconds({ secondsPerQuestion }: Part): string {
  return `${(secondsPerQuestion * 1000).toFixed(0)} ms`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} KB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}

const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '50' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
} else {
  const count = Number(values.questions);
  console.log(
    await onStage(async (stage) => {
      const measured = await measure(stage, count, Number(values.concurrency));
      return table(count, stage.serverVersion, measured);
    }),
  );
}
