/** Turns a method into a workflow: input checked, steps given, result written. */

import { defineSearchAttributeKey } from '@temporalio/common';
import {
  defineQuery,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { QuestionActivities } from '../activities/index.js';
import type { MethodInput } from '../methods/input.js';
import type { Progress } from '../methods/progress.js';
import type { MethodName, OptionsOf } from '../methods/registry.js';
import type { Conclusion, Flag, MethodResult } from '../methods/result.js';
import type { SearchAttribute } from '../methods/search-attributes.js';
import { modelQueue } from '../methods/task-queues.js';
import { causeOf, ended } from './failures.js';
import { Ledger } from './ledger.js';
import { keepOf } from './record.js';
import { type Ask, createSteps, type Steps } from './steps.js';

/** What a method's code works with. */
export interface Question<O> {
  question: string;
  options: O;
  step: Steps;
  /** Asks a step by itself: one that is registered with the workers beside ours. */
  ask: Ask;
  /** Notes on the result something a reader of the answer should know. */
  flag(kind: Flag['kind'], step: string, detail: string): void;
}

/** What stands in a result in place of a conclusion when the question failed. */
type Failed = { outcome: 'failed'; answer: null; evidence: []; chain: null };

export const progressQuery = defineQuery<Progress>('progress');

const { prepare } = proxyLocalActivities<QuestionActivities>({
  startToCloseTimeout: '30s',
  // It costs nothing: a search engine that is away for some minutes is waited for.
  retry: { maximumInterval: '30s', maximumAttempts: 30 },
});

/**
 * Makes the workflow of a method of the registry.
 *
 * A failure of any kind fails the workflow with an ApplicationFailure whose type is the cause and
 * whose first detail is the MethodResult with outcome "failed", so that usage is never lost. Where
 * a batch asks, a Tally stands in place of the MethodResult in both cases, see `keepOf`.
 */
export function questionWorkflow<M extends MethodName, C>(
  method: M,
  run: (question: Question<OptionsOf<M>>) => Promise<Conclusion<C>>,
): (input: MethodInput<OptionsOf<M>>) => Promise<MethodResult<C>> {
  return async (started) => {
    const asked = questionOf(started);
    const ledger = new Ledger(method, asked);
    const keep = keepOf(started);
    setHandler(progressQuery, () => ledger.progress);
    const result = (end: Conclusion<C> | Failed) => ({
      workflowId: workflowInfo().workflowId,
      method,
      question: asked,
      ...end,
      usage: ledger.usage,
      retrievals: ledger.retrievals,
      steps: ledger.steps,
      flags: ledger.flags,
    });

    let label: typeof upsert = () => {};
    let conclusion: Conclusion<C>;
    try {
      const prepared = await prepare(method, started);
      const { question, options, labels } = prepared.input;
      if (prepared.searchAttributes) label = upsert;
      label({ QaMethod: method, QaDataset: labels.dataset, QaRun: labels.run });

      const { steps, ask } = createSteps(prepared, modelQueue(workflowInfo().taskQueue), ledger);
      conclusion = await run({
        question,
        options: options as OptionsOf<M>,
        step: steps,
        ask,
        flag: (...flag) => ledger.flag(...flag),
      });
      label({ QaOutcome: conclusion.outcome });
    } catch (error) {
      label({ QaOutcome: 'failed' });
      const failure = { ...causeOf(error), step: ledger.failedStep };
      const end: Failed = { outcome: 'failed', answer: null, evidence: [], chain: null };
      throw ended(failure, await keep({ ...result(end), failure }), error);
    }
    return keep(result(conclusion));
  };
}

/** The question as it stands in an input that nobody has checked yet. */
function questionOf(started: unknown): string {
  const { question } = Object(started) as { question?: unknown };
  return typeof question === 'string' ? question.trim() : '';
}

/** Writes search attributes; those without a value are left alone. */
function upsert(attributes: Partial<Record<SearchAttribute, string | undefined>>): void {
  upsertSearchAttributes(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [{ key: defineSearchAttributeKey(name, 'KEYWORD'), value }],
    ),
  );
}
