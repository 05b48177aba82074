/**
 * Updates the book of a run with the results of its activities: how it was opened, the questions it
 * reads, how each ended, and what it cost. In the order of a run's life.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  getExternalWorkflowHandle,
  TemporalFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ForkInput } from '../../core/run/fork-input.js';
import type { RunInput, RunSpec } from '../../core/run/input.js';
import { isFork } from '../../core/run/is-fork.js';
import type { StartRefusal, WorkflowEnding } from '../../core/run/run.js';
import { keywords } from '../search-attributes.js';
import { causeOf, finalFailure } from '../workflow-failure.js';
import { openRun, readQuestions, recordAnswer, recordStopped } from './activities.js';
import { costsSeenSignal, limitRates } from './listen.js';
import { recordOf } from './question-child.js';
import type { InFlightQuestion } from './question-window.js';
import type { RunBook } from './run-book.js';
import { inputWithName } from './run-name.js';
import { asksAgain } from './run-pauses.js';

/**
 * The input with which the workflow of a run was started. It may lack a name; the run is then named
 * after its workflow.
 */
export type StartedInput = Omit<RunInput, 'run'> & { run?: string };

/**
 * Returns the input of the run of this workflow with a name. Without one in the input, it is made
 * from the workflow id; a name in the input gets the time of the start appended if a schedule
 * started the run.
 */
export function withRunName(given: StartedInput): RunInput {
  return inputWithName(given, workflowInfo().workflowId, isScheduled()) as RunInput;
}

/**
 * Begins or resumes the run in the workers' store, enters the result into the run's book, and sets
 * its rate limits. Also labels the workflow with its tenant, and keeps the input in its memo.
 *
 * @throws ApplicationFailure with the reason why the run is refused.
 */
export async function openInBook(book: RunBook, input: RunInput): Promise<void> {
  const opened = await openRun(input).catch(refused);
  // The settings may have been changed since the start.
  const { requestsPerMinute, tokensPerMinute } = book.standing.settings;
  await limitRates({
    ...(requestsPerMinute && { requestsPerMinute }),
    ...(tokensPerMinute && { tokensPerMinute }),
  });
  book.opened(opened);
  labelTenant(book.standing.spec);
  // The next start of the run is compared with this input.
  if (workflowInfo().memo?.input === undefined)
    upsertMemo({ input: shownInput(input, opened.spec) });
}

/**
 * Fails the workflow with the reason why the run is refused. A scheduled start has no caller, so
 * the failed workflow stays visible.
 */
function refused(error: unknown): never {
  const detail: StartRefusal = isScheduled() ? {} : { unbegun: true };
  throw finalFailure(causeOf(error), detail, error);
}

/** Search attribute that the server sets on workflows started by a schedule. */
const SCHEDULED_BY = defineSearchAttributeKey('TemporalScheduledById', 'KEYWORD');

function isScheduled(): boolean {
  return workflowInfo().typedSearchAttributes.get(SCHEDULED_BY) !== undefined;
}

/** Lets workers find the runs of a tenant, which share its weight; later histories inherit the attribute. */
function labelTenant({ tenant, labelled }: RunSpec): void {
  if (labelled && tenant !== undefined) upsertSearchAttributes(keywords({ QaTenant: tenant }));
}

/**
 * Returns the part of the input to show beside the run. A fork takes the rest from its parent run.
 */
function shownInput(input: RunInput | ForkInput, spec: RunSpec): object {
  return isFork(input) ? spec : { ...input, dataset: spec.dataset };
}

/**
 * Reads the next page of questions from the workers' store into the run's book, which then has the
 * place of the page after it. If that fails in a way at which the run asks again
 * (`RunBook.asksAgain`), pauses the run instead, and the page is to be read again; throws any
 * other error.
 *
 * @param from Place of the page.
 */
export async function readPage(book: RunBook, from: number): Promise<void> {
  const { spec, left } = book.standing;
  const { run, onlyJudge, retryBefore, retryUnreadable } = spec;
  try {
    const page = await readQuestions({
      run,
      from,
      ...(left && { most: left }),
      ...(onlyJudge && { onlyJudge }),
      ...(retryBefore && { retryBefore }),
      ...(retryUnreadable && { retryUnreadable }),
    });
    book.read(page);
  } catch (error) {
    const failure = { ...causeOf(error), step: null };
    if (!asksAgain(failure, book.standing.settings)) throw error;
    book.away(failure);
  }
}

/**
 * Counts how a question of a run ended, or the judging of its answer. Records the question first if
 * its workflow could not. If its workflow is gone, or could not record it for a reason that may
 * pass, the question waits to be asked again instead.
 */
export async function countEnding(
  book: RunBook,
  { startedAt, ...question }: InFlightQuestion,
  ending: WorkflowEnding,
): Promise<void> {
  const { tally, failure, unrecorded = false } = ending;
  if (ending.stopped) return book.stopped(question, ending);
  if (failure?.type === 'NotFound') return book.putFirst(question);
  if (unrecorded && asksAgain(failure, book.standing.settings)) return book.away(failure, question);
  if (question.toJudge) return book.countJudged(question, ending);
  const record = recordOf(book.standing.spec.run, question);
  book.countQuestion(
    question,
    tally ?? (await recordAnswer(record, null, failure ?? null, startedAt)),
  );
}

/**
 * Returns a function that reports the known costs of a run's questions, or else the expected cost
 * of one, in US dollars, to its study by a signal, as soon as the run knows it, and only once. It
 * does nothing if the run has no study or no budget, or if the study already knew the cost.
 */
export function costReporter(book: RunBook): () => Promise<void> {
  let hasReported = false;
  return async () => {
    const { questionUsd } = book;
    const { spec, seen, spending, settings } = book.standing;
    const isAsked = settings.budgetUsd !== null && spec.costsSeen?.questions === 0;
    if (hasReported || !isAsked || questionUsd === null) return;
    hasReported = true;
    const { parent } = workflowInfo();
    if (!parent) return;
    const costs = seen.questions > 0 ? seen : { usd: questionUsd, questions: 1 };
    // The study may have ended and not need it any more.
    const study = getExternalWorkflowHandle(parent.workflowId);
    await study.signal(costsSeenSignal, spec.run, costs, spending.usd).catch(ignoreFailed);
  };
}

/**
 * Records the usage that is part of no answer in the run's manifest, if there is any. If that
 * fails, only the progress of the run has it.
 */
export async function recordUnrecorded(book: RunBook): Promise<void> {
  const { spec, startedAt, unrecorded } = book.standing;
  if (!unrecorded) return;
  const stopped = { startedAt: new Date(startedAt).toISOString(), ...unrecorded };
  await recordStopped(spec.run, stopped).catch(ignoreFailed);
}

/** Ignores a failure that Temporal reports; throws any other error. */
function ignoreFailed(error: unknown): void {
  if (!(error instanceof TemporalFailure)) throw error;
}
