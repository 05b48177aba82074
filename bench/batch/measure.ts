/** One batch on a stage of its own, looked at ten times on the way. */
import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatasets } from '../../client/open-datasets.js';
import { CORPUS, questions } from '../speed/corpus.js';
import type { Stage } from '../speed/stage.js';
import { type Histories, measureHistories } from './histories.js';

/** Methods that the mock model can answer, with their options. */
export const METHODS = {
  base: { passages: 5 },
  sure: { candidates: 2 },
} as const;

export type Measured = keyof typeof METHODS;

export interface BatchPlan {
  method: Measured;
  questions: number;
  concurrency: number;
}

/** Bytes on disk. */
export interface Bytes {
  /** Temporal's database, with its write-ahead log. */
  temporal: number;
  /** The response store. */
  store: number;
  results: number;
}

/** A tenth of the run, or more. */
export interface Part {
  /** Questions done at its end. */
  done: number;
  secondsPerQuestion: number;
  /** CPU milliseconds a question of the worker; the server's is NaN where it cannot be read. */
  workerCpu: number;
  serverCpu: number;
  /** Bytes a question that were added. */
  added: Bytes;
  /** At its end, in bytes, of the worker. */
  rss: number;
  heapUsed: number;
}

export interface MeasuredBatch {
  plan: BatchPlan;
  parts: Part[];
  histories: Histories;
  failed: number;
  calls: number;
  seconds: number;
  total: Bytes;
}

const SEED = 13;
const RUN = 'bench';
const PARTS = 10;
const POLL_MS = 200;

/** @throws RangeError where there are too few questions for ten parts. */
export async function measureBatch(stage: Stage, plan: BatchPlan): Promise<MeasuredBatch> {
  const { method, questions: count, concurrency } = plan;
  if (count < 2 * PARTS) throw new RangeError(`Ask at least ${2 * PARTS} questions.`);
  const file = join(stage.folder, 'questions.jsonl');
  await pipeline(Readable.from(questionLines(count)), createWriteStream(file));
  const datasets = await openDatasets({ DURABLE_RAG_HOME: stage.folder });
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const look = (done: number) => account(stage, done);
  const first = await look(0);
  const batch = await stage.client.startRun({
    run: RUN,
    method,
    dataset,
    corpus: CORPUS,
    options: METHODS[method],
    concurrency,
  });
  const ended = batch.result();
  const parts: Part[] = [];
  let began = first;
  let progress = await batch.progress();
  for (;;) {
    // A look may come too late for one history and time out: the next one finds the next.
    progress = await batch.progress().catch(() => progress);
    // A slow look may find two tenths done: they are one part then.
    if (Math.floor((progress.done * PARTS) / count) > Math.floor((began.done * PARTS) / count)) {
      const now = await look(progress.done);
      parts.push(partBetween(began, now));
      began = now;
    }
    if (progress.state === 'finished') break;
    // A batch that fails ends the measurement.
    await Promise.race([sleep(POLL_MS), ended]);
  }
  const { outcomes, usage } = await ended;
  const last = await look(count);
  return {
    plan,
    parts,
    histories: await measureHistories(stage.connection, method),
    failed: outcomes.failed,
    calls: usage.calls,
    seconds: (last.at - first.at) / 1000,
    total: less(last.bytes, first.bytes),
  };
}

/** What the run had taken at a moment. */
interface Account {
  done: number;
  at: number;
  cpuMs: number;
  rss: number;
  heapUsed: number;
  serverCpu: number;
  bytes: Bytes;
}

async function account({ serverCpu, folder, worker }: Stage, done: number): Promise<Account> {
  const { cpuMs, rss, heapUsed } = await worker.ask('without garbage');
  return {
    done,
    at: Date.now(),
    ...{ cpuMs, rss, heapUsed },
    serverCpu: (await serverCpu()) ?? Number.NaN,
    bytes: {
      temporal: await sizeOf(folder, (name) => name.startsWith('temporal.db')),
      store: await sizeOf(join(folder, 'store')),
      results: await sizeOf(join(folder, 'runs')),
    },
  };
}

function partBetween(began: Account, ended: Account): Part {
  const asked = ended.done - began.done;
  const bytes = less(ended.bytes, began.bytes);
  return {
    done: ended.done,
    secondsPerQuestion: (ended.at - began.at) / 1000 / asked,
    workerCpu: (ended.cpuMs - began.cpuMs) / asked,
    serverCpu: (ended.serverCpu - began.serverCpu) / asked,
    added: {
      temporal: bytes.temporal / asked,
      store: bytes.store / asked,
      results: bytes.results / asked,
    },
    rss: ended.rss,
    heapUsed: ended.heapUsed,
  };
}

function less(late: Bytes, early: Bytes): Bytes {
  return {
    temporal: late.temporal - early.temporal,
    store: late.store - early.store,
    results: late.results - early.results,
  };
}

/** What the files of a folder take on disk, sparse ones only what they hold. */
async function sizeOf(folder: string, wanted = (_name: string) => true): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter(({ name }) => wanted(name))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return sizeOf(path);
        // A file may have been renamed or deleted since the folder was read.
        return stat(path).then(
          ({ blocks }) => blocks * BLOCK,
          () => 0,
        );
      }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The unit of `blocks`, whatever the file system's own. */
const BLOCK = 512;

function* questionLines(count: number): Generator<string> {
  const asked = questions(SEED);
  for (let i = 0; i < count; i++) {
    const question = asked.next().value;
    yield `${JSON.stringify({ id: `q${i}`, question, answers: ['Marta Lindqvist'] })}\n`;
  }
}
