/** Turns a method into a workflow: input checked, steps given, result written. */

import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  defineQuery,
  isCancellation,
  proxyLocalActivities,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { QuestionActivities } from '../activities/index.js';
import { Failure } from '../methods/failure.js';
import { type CompleteInput, type MethodInput, parseInput } from '../methods/input.js';
import type { Method } from '../methods/method.js';
import type { Progress } from '../methods/progress.js';
import type { Conclusion, Flag, MethodResult, QuestionFailure } from '../methods/result.js';
import type { SearchAttribute } from '../methods/search-attributes.js';
import { modelQueue } from '../methods/task-queues.js';
import { Ledger } from './ledger.js';
import { createSteps, type Steps } from './steps.js';

/** What a method's code works with. */
export interface Question<O> {
  question: string;
  options: O;
  step: Steps;
  /** Notes on the result something a reader of the answer should know. */
  flag(kind: Flag['kind'], step: string, detail: string): void;
}

/** What stands in a result in place of a conclusion when the question failed. */
type Failed = { outcome: 'failed'; answer: null; evidence: []; chain: null };

export const progressQuery = defineQuery<Progress>('progress');

const { prepare } = proxyLocalActivities<QuestionActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumAttempts: 10 },
});

/**
 * Makes the workflow of a method.
 *
 * A failure of any kind fails the workflow with an ApplicationFailure whose type is the cause and
 * whose first detail is the MethodResult with outcome "failed", so that usage is never lost.
 */
export function questionWorkflow<O, C>(
  method: Method<O>,
  run: (question: Question<O>) => Promise<Conclusion<C>>,
): (input: MethodInput<O>) => Promise<MethodResult<C>> {
  return async (started) => {
    const input = checked(method, started);
    const ledger = new Ledger(method.name, input.question);
    setHandler(progressQuery, () => ledger.progress);
    const result = (end: Conclusion<C> | Failed) => ({
      workflowId: workflowInfo().workflowId,
      method: method.name,
      question: input.question,
      ...end,
      usage: ledger.usage,
      retrievals: ledger.retrievals,
      steps: ledger.steps,
      flags: ledger.flags,
    });

    let label: typeof upsert = () => {};
    try {
      const { corpus, mode, passages, stored } = input.retrieval;
      const prepared = await prepare.executeWithOptions({ summary: corpus }, [
        { corpus, ...(mode && { mode }), ...(stored ? { stored } : passages && { passages }) },
      ]);
      if (prepared.searchAttributes) label = upsert;
      label({ QaMethod: method.name, QaDataset: input.labels.dataset, QaRun: input.labels.run });

      const step = createSteps(input, prepared, modelQueue(workflowInfo().taskQueue), ledger);
      const question: Question<O> = {
        question: input.question,
        options: input.options,
        step,
        flag: (...flag) => ledger.flag(...flag),
      };
      const conclusion = await run(question);
      label({ QaOutcome: conclusion.outcome });
      return result(conclusion);
    } catch (error) {
      label({ QaOutcome: 'failed' });
      if (isCancellation(error)) throw error;
      throw failed(error, ledger.failedStep, (failure) => ({
        ...result({ outcome: 'failed', answer: null, evidence: [], chain: null }),
        failure,
      }));
    }
  };
}

function checked<O>(method: Method<O>, input: unknown): CompleteInput<O> {
  try {
    return parseInput(method.options, input);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.type);
  }
}

/** Writes search attributes; those without a value are left alone. */
function upsert(attributes: Partial<Record<SearchAttribute, string | undefined>>): void {
  upsertSearchAttributes(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [{ key: defineSearchAttributeKey(name, 'KEYWORD'), value }],
    ),
  );
}

/**
 * The failure that ends the workflow. An error that is not a step's failure is a fault in our own
 * code: it is rethrown as it is, which holds the question until a mended worker takes it up.
 */
function failed<C>(
  error: unknown,
  step: string | null,
  result: (failure: QuestionFailure) => MethodResult<C>,
): unknown {
  if (!(error instanceof TemporalFailure)) return error;
  // A local activity's failure comes without the ActivityFailure around it.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Unexpected') : 'Timeout';
  const message = cause?.message ?? error.message;
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    details: [result({ type, message, step })],
    cause: error,
  });
}
