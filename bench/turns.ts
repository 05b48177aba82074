/**
 * Lets methods that think by turns search ten, fifty and two hundred times, and tells what a turn
 * takes of them, beside an agent that hands all messages to each call.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { createClient } from '../client/create-client.js';
import { TASK_QUEUE } from '../workflows/queue/task-queues.js';
import { figuresTable } from './figures-table.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { buildCorpus, CORPUS, questions } from './speed/corpus.js';
import { type Remote, startRemote } from './speed/remote.js';
import { median } from './speed/timing.js';
import { workerEnv } from './speed/worker-env.js';
import type { WorkerRequest, WorkerUsage } from './speed/worker-usage.js';
import { onTemporal, type TemporalStage } from './temporal-stage.js';
import { type Asked, startTurnsModel, type TurnsModel } from './turns/turns-model.js';

const USAGE = `Usage: node dist/bench/turns.js [--turns N,N,...]
  --turns  searches of a question, the fewest first (default 10,50,200)`;

const SEED = 29;
const MODEL = 'mock-1';
/** Passages of a search. */
const PASSAGES = 10;
/** As many turns around one of that number count for it. */
const AROUND = 5;
const { HistoryEvent } = proto.temporal.api.history.v1;

interface Program {
  name: string;
  /** The activity that asks for a turn. */
  step: string;
  worker: Remote<WorkerRequest, WorkerUsage>;
  /** Asks a question, which takes as many searches as given, and one more turn. */
  ask(question: string, searches: number, workflowId: string): Promise<unknown>;
}

async function programsOf(stage: TemporalStage, baseUrl: string): Promise<Program[]> {
  const { connection, takeDown, temporal } = stage;
  const env = workerEnv(stage, baseUrl, MODEL);
  const start = async (script: string, more: NodeJS.ProcessEnv = {}) => {
    const worker = await startRemote<WorkerRequest, WorkerUsage>(script, { ...env, ...more });
    takeDown(() => worker.stop());
    return worker;
  };
  const ours = await start('worker.js');
  const taskQueue = 'plain-agent';
  const TEMPORAL_ADDRESS = temporal.address;
  const plain = await start('../turns/plain-worker.js', {
    TEMPORAL_ADDRESS,
    TASK_QUEUE: taskQueue,
  });
  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  const { workflow } = new Client({ connection });
  const retrieval = { corpus: CORPUS };
  return [
    {
      name: '`taggedSearch`',
      step: 'think',
      worker: ours,
      ask: (question, maxSearches, workflowId) => {
        const options = { passages: PASSAGES, maxSearches };
        return client.ask('taggedSearch', { question, retrieval, options }, { workflowId });
      },
    },
    {
      name: '`searchO1`',
      step: 'think',
      worker: ours,
      ask: (question, maxSearches, workflowId) => {
        const options = {
          passages: PASSAGES,
          maxSearches,
          maxTurns: Math.min(200, maxSearches + 1),
        };
        return client.ask('searchO1', { question, retrieval, options }, { workflowId });
      },
    },
    {
      name: 'all messages in each call',
      step: 'askModel',
      worker: plain,
      ask: (question, searches, workflowId) =>
        workflow.execute('plainAgent', { taskQueue, workflowId, args: [question, searches + 1] }),
    },
  ];
}

/** Returns the events of a history, in order. */
async function eventsOf({ workflowService }: Connection, workflowId: string) {
  const events = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId },
      ...(nextPageToken && { nextPageToken }),
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return events;
}

/** Returns the bytes of history from each asking of a step to the next. */
function bytesByTurn(events: Awaited<ReturnType<typeof eventsOf>>, step: string): number[] {
  const bytes: number[] = [];
  for (const event of events) {
    const asked = event.activityTaskScheduledEventAttributes?.activityType?.name;
    if (asked === step) bytes.push(0);
    const last = bytes.pop();
    if (last !== undefined) bytes.push(last + HistoryEvent.encode(event).finish().length);
  }
  return bytes;
}

/** Returns the milliseconds of each turn, from one turn's prompt to the next, without the model's. */
function msByTurn(asked: readonly Asked[]): number[] {
  const ms: number[] = [];
  let sum = 0;
  for (const { waitedMs, isTurn } of asked.slice(1)) {
    sum += waitedMs;
    if (!isTurn) continue;
    ms.push(sum);
    sum = 0;
  }
  return ms;
}

/** Returns the median of the values around a turn. */
function around(values: readonly number[], turn: number): number {
  return median(values.slice(Math.max(0, turn - 1 - AROUND), turn - 1 + AROUND));
}

/** Lets a program ask one question; returns a row of the table. */
async function rowOf(
  { name, step, worker, ask }: Program,
  question: string,
  searches: number,
  model: TurnsModel,
  connection: Connection,
): Promise<string[]> {
  model.begin(searches);
  const workflowId = randomUUID();
  const ended = await ask(question, searches, workflowId).then(
    () => 'answered',
    ({ cause, message }: Error) => String(Object(cause).message ?? message).slice(0, 100),
  );
  const { rss } = await worker.ask('without garbage');
  const events = await eventsOf(connection, workflowId);
  const whole = events.reduce((sum, one) => sum + HistoryEvent.encode(one).finish().length, 0);
  // The last turn answers, and is followed by the result.
  const bytes = bytesByTurn(events, step).slice(0, -1);
  const ms = msByTurn(model.asked());
  const prompts = model.asked().filter(({ isTurn }) => isTurn);
  const sumOf = (of: (one: Asked) => number) => prompts.reduce((sum, one) => sum + of(one), 0);
  const begun = sumOf((one) => one.begun * one.characters) / sumOf((one) => one.characters);
  const last = Math.min(searches, bytes.length);
  return [
    `${name}, ${searches}`,
    `${events.length}`,
    (whole / 1000).toFixed(0),
    `${Math.round(around(bytes, 10))}`,
    `${Math.round(around(bytes, last))}`,
    around(ms, 10).toFixed(0),
    around(ms, last).toFixed(0),
    ((prompts.at(-1)?.characters ?? 0) / 1000).toFixed(0),
    `${(100 * begun).toFixed(0)} %`,
    (rss / 1e6).toFixed(0),
    ended,
  ];
}

const HEADING = [
  'program, searches',
  'events',
  'history, KB',
  'bytes of turn 10',
  'of the last search',
  'ms of turn 10',
  'of the last search',
  'last prompt, thousand characters',
  'of all prompts, begun by the turn before',
  'memory of the worker, MB',
  'ended',
];
/** The first questions of a process are slower. */
const WARM_UPS = 5;

async function measure(stage: TemporalStage, counts: readonly number[]): Promise<string> {
  const { folder, connection, takeDown } = stage;
  await buildCorpus(folder, join(folder, 'corpora'), SEED);
  const model = await startTurnsModel();
  takeDown(() => model.close());
  const asked = questions(SEED);
  const rows: string[][] = [];
  for (const program of await programsOf(stage, model.baseUrl)) {
    for (const searches of [...Array(WARM_UPS).fill(10), ...counts]) {
      const { value } = asked.next();
      const row = await rowOf(program, value, searches, model, connection);
      rows.push(row);
    }
    rows.splice(rows.length - WARM_UPS - counts.length, WARM_UPS);
  }
  return figuresTable([HEADING, ...rows]);
}

const { flags, number } = benchFlags(USAGE, { turns: '10,50,200' });
const counts = flags.turns.split(',').map(number);
await onTemporal(async (stage) => {
  const table = await measure(stage, counts);
  console.log(`${table}\n\n${measuredOn(`Temporal server ${stage.temporal.serverVersion}`)}`);
});
