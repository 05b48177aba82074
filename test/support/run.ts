/** A run over questions by number, on the real Temporal server, with a model that is told what to say. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { openRun } from '../../activities/run/open-run.js';
import { recordAnswer } from '../../activities/run/record-answer.js';
import type { OfflinePorts, Ports } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import type { RunInput } from '../../core/run/input.js';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { snapshotRef } from '../../evaluation/dataset/snapshots.js';
import { answerAndRecordCalls } from '../../interpreters/scripted.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { questionInput } from '../../workflows/run/question-child.js';
import { tokens } from './completion.js';
import { type Harness, type OwnWorkers, sharedHarness, startHarness } from './harness.js';
import { historiesOf } from './history.js';
import { modelThatSays } from './saying.js';

/** What the model says to a question: a text, a failure, or nothing until the call is aborted. */
export type Said = string | Partial<Completion> | Failure | 'hang';
export type Reply = (
  number: number,
  step: ScriptedStep,
  request: CompletionRequest,
) => Said | Promise<Said>;

/** Question 7 is "Who is number 7?"; its answer is "Bell". */
export const questionText = (number: number) => `Who is number ${number}?`;

export function numberModel(reply: Reply) {
  /** Numbers of the questions, one for each call, in the order of the calls. */
  const asked: number[] = [];
  /** Calls that are open, and how many there were at most. */
  const flight = { now: 0, most: 0 };
  const model = modelThatSays(async ({ prompt, step, request, signal }) => {
    const number = Number(/Who is number (\d+)\?(?![\s\S]*Who is number)/.exec(prompt)?.[1]);
    asked.push(number);
    flight.now++;
    flight.most = Math.max(flight.most, flight.now);
    try {
      const said = await reply(number, step, request);
      if (said instanceof Failure) throw said;
      if (said === 'hang') await aborted(signal);
      const took = { usage: tokens(100, 10), costUsd: 0.001, servedModel: 'scripted-1' };
      return { ...took, ...(typeof said === 'string' ? { text: said } : said) };
    } finally {
      flight.now--;
    }
  });
  return { ...model, asked, flight };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason as Error));
  });
}

/**
 * Workers, a data set of so many questions, and what starts a run of its own over it.
 *
 * @param more Of each question in the data set, by its number.
 * @param changes Parts of the workers in place of the usual ones.
 * @param workers What else sets them apart, or that the file shares them.
 */
export async function setUpRun(
  questions: number,
  reply: Reply,
  input: Partial<RunInput> = {},
  more: (number: number) => object = () => ({}),
  changes: Partial<Ports> = {},
  workers: OwnWorkers | 'shared' = {},
) {
  const model = numberModel(reply);
  const harness: Harness =
    workers === 'shared'
      ? await sharedHarness(model, changes)
      : await startHarness(model, changes, workers);
  const lines = Array.from({ length: questions }, (_, i) => ({
    id: `n/${i}`,
    question: questionText(i),
    answers: ['Bell'],
    ...more(i),
  }));
  const dataset = await stored(lines, harness.ports);
  const spec: RunInput & { dataset: string } = {
    run: `run-${randomUUID()}`,
    method: 'base',
    options: { passages: 0 },
    corpus: 'sample',
    ...input,
    dataset,
  };
  const { client, connection, taskQueue } = harness;
  const workflowId = `eval/${spec.run}`;
  /** Starts it, with so many questions a history, and places a shard; gives what reads them all. */
  async function startInHistories(...sizes: number[]) {
    const { workflow } = new Client({ connection });
    const args = [spec, null, ...sizes];
    const first = await workflow.start('evaluateRun', { workflowId, taskQueue, args });
    const histories = () => historiesOf(connection, workflowId, first.firstExecutionRunId);
    return { handle: await client.getRun(spec.run), histories };
  }
  return { harness, model, client, spec, workflowId, startInHistories };
}

/** The same with the workers of the test file, none of whose tests runs beside another one. */
export const setUpRunShared = (
  questions: number,
  reply: Reply,
  input?: Partial<RunInput>,
  more?: (number: number) => object,
  changes?: Partial<Ports>,
) => setUpRun(questions, reply, input, more, changes, 'shared');

/**
 * Answers the questions of a run in this process, and records the answers as its workers would: for
 * tests of what is done with a run that has ended.
 */
export async function answeredHere(input: RunInput, ports: OfflinePorts): Promise<void> {
  const { spec } = await openRun(input, ports, new AbortController().signal);
  const { run, method } = spec;
  let at = 0;
  for await (const { question, next } of ports.runs.questions(run)) {
    const { result, calls } = await answerAndRecordCalls(
      method,
      questionInput(spec, question),
      ports,
    );
    const ended = { result, calls, failure: null, startedAt: Date.parse('2026-01-02T03:04:05Z') };
    await recordAnswer({ run, id: question.id, at }, ended, ports);
    at = next;
  }
}

/** Puts questions into the store of the workers. */
export async function stored(
  questions: readonly object[],
  { datasets }: Pick<Ports, 'datasets'>,
): Promise<string> {
  return snapshotRef(
    await datasets.put(() => readGiven(questions, { scorable: false }), 'numbers.jsonl'),
  );
}

/** Something that is let go by the test: a reply that waits, for one. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Says "Bell" once it is let go. */
export function heldReply() {
  const { opened, open } = gate();
  return { reply: () => opened.then(() => 'Bell'), open };
}

/** How long something may take that comes soon, in milliseconds. */
const SOON_MS = 90_000;
/** The longest pause between two looks, in milliseconds: each may ask the server, and its worker. */
const PAUSE_MS = 250;

/** Waits for what comes soon, but no test knows when; looks less often the longer it takes. */
export async function soon<T>(look: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + SOON_MS;
  for (let pause = 20; ; pause = Math.min(1.5 * pause, PAUSE_MS)) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(pause);
  }
}
