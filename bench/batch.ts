/** Measures whether a long run stays as it began: time and memory by tenths, bytes, and histories. */
import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatasets } from '../client/open-datasets.js';
import type { RunInput } from '../core/run/input.js';
import { figuresTable } from './figures-table.js';
import { measuredOn } from './machine.js';
import { CORPUS, questions } from './speed/corpus.js';
import { onStage, type Stage } from './speed/stage.js';

/** Methods that the mock model can answer, with their options. */
const METHODS = { sure: { candidates: 2 }, base: { passages: 5 } } as const;
type Method = keyof typeof METHODS;

const QUESTIONS = 10_000;
const CONCURRENCY = 50;
const TENTHS = 10;
const SEED = 13;
const RUN = 'bench';
const POLL_MS = 200;
/** The unit of `blocks`, whatever the file system's own. */
const BLOCK = 512;

/** What the run had taken at a moment. */
interface Look {
  done: number;
  at: number;
  /** Of the worker, in bytes. */
  heapUsed: number;
}

async function measure(stage: Stage, method: Method): Promise<string> {
  const file = join(stage.folder, 'questions.jsonl');
  await pipeline(Readable.from(questionLines()), createWriteStream(file));
  const datasets = await openDatasets({ DURABLE_RAG_HOME: stage.folder });
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const before = await bytesIn(stage.folder);
  const looks = [await look(stage, 0)];
  const input: RunInput = {
    run: RUN,
    method,
    options: METHODS[method],
    dataset,
    corpus: CORPUS,
    concurrency: CONCURRENCY,
  };
  const run = await stage.client.startRun(input);
  const ended = run.result();
  let progress = await run.progress();
  const tenth = (done: number) => Math.floor((done * TENTHS) / QUESTIONS);
  for (;;) {
    // A look may come too late for one history and time out: the next one finds the next.
    progress = await run.progress().catch(() => progress);
    if (tenth(progress.done) > tenth(looks.at(-1)?.done ?? 0)) {
      looks.push(await look(stage, progress.done));
    }
    if (progress.state === 'finished') break;
    // A run that fails ends the measurement.
    await Promise.race([sleep(POLL_MS), ended]);
  }
  const { outcomes, usage } = await ended;
  const after = await bytesIn(stage.folder);
  const added = Object.keys(after).map((part) => (after[part] ?? 0) - (before[part] ?? 0));
  const seconds = ((looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0)) / 1000;
  return [
    `${count(QUESTIONS)} questions by ${method} with a mock model that answers at once, ${count(usage.calls)} calls, ${CONCURRENCY} at a time: ${(seconds / 60).toFixed(1)} minutes, ${outcomes.failed} failed.`,
    figuresTable([['questions', 'ms a question', 'heap of the worker, MB'], ...tenths(looks)]),
    figuresTable([
      ['KB a question', ...Object.keys(after)],
      ['added', ...added.map((bytes) => (bytes / QUESTIONS / 1000).toFixed(1))],
    ]),
    figuresTable([
      ['largest history', 'events', 'KB'],
      ['of the run', ...(await largestHistory(stage, 'evaluateRun'))],
      ['of a question', ...(await largestHistory(stage, method))],
    ]),
  ].join('\n\n');
}

async function look({ worker }: Stage, done: number): Promise<Look> {
  const { heapUsed } = await worker.ask('without garbage');
  return { done, at: Date.now(), heapUsed };
}

/** A slow look may find two tenths done: they are one part then. */
function tenths(looks: readonly Look[]): string[][] {
  return looks.slice(1).map(({ done, at, heapUsed }, i) => {
    const began = looks[i] ?? { done: 0, at: 0 };
    const ms = (at - began.at) / (done - began.done);
    return [count(done), ms.toFixed(0), (heapUsed / 1e6).toFixed(0)];
  });
}

/** Bytes on disk: of Temporal's database with its log, of the response store and of the results. */
async function bytesIn(folder: string): Promise<Record<string, number>> {
  return {
    Temporal: await sizeOf(folder, (name) => name.startsWith('temporal.db')),
    'response store': await sizeOf(join(folder, 'store')),
    results: await sizeOf(join(folder, 'runs')),
  };
}

/** What the files of a folder take on disk, sparse ones only what they hold. */
async function sizeOf(folder: string, isWanted = (_name: string) => true): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter(({ name }) => isWanted(name))
    .map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sizeOf(path);
      // A file may have been renamed or deleted since the folder was read.
      const { blocks } = await stat(path).catch(() => ({ blocks: 0 }));
      return blocks * BLOCK;
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The most events and kilobytes of all workflows of a type. */
async function largestHistory({ connection }: Stage, type: string): Promise<string[]> {
  let [events, bytes] = [0, 0];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace: 'default',
      query: `WorkflowType = '${type}'`,
      pageSize: 1000,
      ...(nextPageToken && { nextPageToken }),
    });
    for (const { historyLength, historySizeBytes } of page.executions) {
      events = Math.max(events, Number(historyLength));
      bytes = Math.max(bytes, Number(historySizeBytes));
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return [count(events), (bytes / 1000).toFixed(1)];
}

function* questionLines(): Generator<string> {
  const asked = questions(SEED);
  for (let i = 0; i < QUESTIONS; i++) {
    const question = asked.next().value;
    yield `${JSON.stringify({ id: `q${i}`, question, answers: ['Marta Lindqvist'] })}\n`;
  }
}

const count = (of: number) => of.toLocaleString('en-US');

for (const method of Object.keys(METHODS) as Method[]) {
  await onStage(async (stage) => {
    const text = await measure(stage, method);
    console.log(`${measuredOn(`Temporal server ${stage.serverVersion}`)}\n\n${text}\n`);
  });
}
