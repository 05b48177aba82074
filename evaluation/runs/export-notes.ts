/** Exports a run of Chain-of-Note as fine-tuning data: prompts, with notes and answers as replies. */

import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { MethodResult } from '../../core/result.js';
import { sampler } from '../../core/sampler.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import type { RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import {
  chatLine,
  type NotedChain,
  type TrainingTarget,
  trainingTarget,
  weightedLine,
} from '../training-examples.js';
import { joinRuns, type RunSource } from './run-source.js';

/**
 * The format of a line of training data that is made of an answer with its notes (Chain-of-Note):
 * chat has the messages; chat-weighted has also an id and the ranges on which the loss is computed.
 */
export type NotesFormat = 'chat' | 'chat-weighted';

/**
 * Numbers of questions of a run of Chain-of-Note, as `countNotes` returns them: those that become
 * training `examples`, and those left out by reason, with the `usage` of all.
 */
export type NotesCounts = Awaited<ReturnType<typeof countNotes>>;

/**
 * An asynchronous function that returns, for a run, a question and its passages, the text of the
 * prompt with which the fine-tuned model will be asked.
 */
export type PromptOf = (
  run: RunManifest,
  question: string,
  passages: NotedChain['passages'],
) => Promise<string>;

type NotesResult = MethodResult<NotedChain>;

/**
 * Counts the questions of a run. Returns an object with the number of all `questions`, of those
 * that become training `examples` (`unknown`: those of them answered so), of those left out by
 * reason (`incomplete`, `unreadable`, `failed`, or not ended: `open`), and the `usage` of all:
 * calls, tokens and US dollars.
 *
 * @throws Failure BadInput for a run of another method than chainOfNote.
 */
export async function countNotes(run: RunSource) {
  const counts = {
    questions: 0,
    /** Lines to export, including those with the answer "unknown". */
    examples: 0,
    unknown: 0,
    /** Left out: a passage has no note, or an empty one. */
    incomplete: 0,
    /** Left out: the model's output could not be read. */
    unreadable: 0,
    /** Left out: the question failed. Starting the run again asks it again. */
    failed: 0,
    /** Left out: the question has not ended. */
    open: 0,
  };
  let usage = NO_USAGE;
  for await (const { result } of notesOf(run)) {
    counts.questions++;
    if (!result) {
      counts.open++;
      continue;
    }
    usage = addUsage(usage, result.usage);
    if (result.outcome === 'failed') counts.failed++;
    else if (result.outcome === 'unreadable') counts.unreadable++;
    else if (!trainingTarget(result)) counts.incomplete++;
    else {
      counts.examples++;
      if (result.outcome === 'unknown') counts.unknown++;
    }
  }
  return { ...counts, usage };
}

/**
 * Yields the training examples of a run as lines of JSON, without line feeds, in the order of its
 * data set. In the format chat-weighted, for half of them (rounded up), chosen by the run's seed,
 * the loss is on notes and answer; for the others it is on the answer alone.
 *
 * @param examples Number of examples, from `countNotes`.
 * @throws Failure BadInput for a run of another method than chainOfNote; errors of `promptOf`.
 */
export async function* exportNotes(
  run: RunSource,
  format: NotesFormat,
  { examples }: Pick<NotesCounts, 'examples'>,
  promptOf: PromptOf,
): AsyncGenerator<string> {
  const { manifest } = run;
  const takesWhole = sampler(`${manifest.input.seed}/loss`, Math.ceil(examples / 2), examples);
  for await (const { question, result } of notesOf(run)) {
    const target: TrainingTarget | null = result && trainingTarget(result);
    if (!result?.chain || !target) continue;
    const prompt = await promptOf(manifest, question.question, result.chain.passages);
    const loss = takesWhole() ? 'notes-and-answer' : 'answer';
    yield format === 'chat'
      ? chatLine(prompt, target)
      : weightedLine(question.id, prompt, target, loss);
  }
}

async function* notesOf(
  run: RunSource,
): AsyncGenerator<{ question: RunQuestion; result: NotesResult | null }> {
  const { method } = run.manifest.input;
  if (method !== 'chainOfNote') {
    throw new Failure(
      'BadInput',
      `The run ${run.manifest.run} has no notes to learn from: its method is ${method}. Make one with: ${command('train-data')}`,
    );
  }
  for await (const { question, answers } of joinRuns([run])) {
    yield { question, result: (answers[0]?.result ?? null) as NotesResult | null };
  }
}
