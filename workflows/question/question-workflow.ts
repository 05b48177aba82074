/** The workflow of a method: checks the input, runs the algorithm, and writes the result. */
import {
  CancellationScope,
  defineQuery,
  metricMeter,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { traitsOf } from '../../core/failure.js';
import type { MethodInput } from '../../core/options/input.js';
import { type Conclusion, type MethodResult, QUESTIONS_COUNTER } from '../../core/result.js';
import type { RecordRef, RunContext, Tally } from '../../core/run/run.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { QuestionActivities } from '../activities/question.js';
import { type FinishedCall, runAlgorithm } from '../algorithm.js';
import type { DefinedMethod } from '../define-method.js';
import { modelQueue } from '../queue/task-queues.js';
import { perfectOutput, recordAnswer } from '../run/activities.js';
import { attributesAtStart, type KeywordPair, keywords } from '../search-attributes.js';
import { summaryLine } from '../summary-line.js';
import { buildNow } from '../version.js';
import { causeOf, finalFailure, hasSearchAttributes, stopCalls } from '../workflow-failure.js';
import { performFork } from './forked.js';
import { Ledger, type QuestionEnd } from './ledger.js';
import { type Progress, progressTable, type StepProgress } from './progress.js';
import { QuestionCalls } from './question-calls.js';
import { durableActivities, localFirst, locally, uncancelled } from './step-activities.js';

export const progressQuery = defineQuery<Progress>('progress');

const { prepare } = proxyLocalActivities<QuestionActivities>({
  startToCloseTimeout: '30s',
  // The check costs nothing, so it waits for a search engine that is away for some minutes.
  retry: { maximumInterval: '30s', maximumAttempts: 30 },
  summary: 'Checks the input, and opens its passages or corpus',
});

/**
 * The type of a method's workflow. It returns the MethodResult of a question; for a question of a
 * run, whose result is stored, it returns a Tally: only its outcome, scores, usage and failure.
 */
export interface QuestionWorkflow<O, C> {
  (input: MethodInput<O>, asked: RunContext): Promise<MethodResult<C> | Tally>;
  (input: MethodInput<O>): Promise<MethodResult<C>>;
}

/**
 * Returns the workflow of a method, to be exported under the method's name.
 *
 * The failure of a step fails the workflow with an ApplicationFailure. Its type is the cause, and
 * its first detail is the MethodResult with outcome "failed", so that usage is not lost. For a run,
 * a Tally replaces the MethodResult in both cases. A cancelled workflow has no result. A fault in
 * the method's code blocks the workflow until a worker has a fix.
 *
 * Only workers that bundle their own workflows need it; others make the workflow from the method.
 *
 * @example export const lookTwice = questionWorkflow(method);
 */
export function questionWorkflow<O, C>({
  name: method,
  algorithm,
}: Pick<DefinedMethod<O, C>, 'algorithm' | 'name'>): QuestionWorkflow<O, C> {
  async function workflow(input: MethodInput<O>, asked: RunContext = {}) {
    const question = questionOf(input);
    const ledger = new Ledger(method, question, showSteps);
    setHandler(progressQuery, () => ledger.progress, {
      description: 'The steps of the question so far, and its usage.',
    });
    const keep = async (end: QuestionEnd<C>) => {
      const build = buildNow();
      const outcome = 'failure' in end ? 'failed' : end.outcome;
      // The SDK counts once, however often the workflow is replayed.
      metricMeter.createCounter(QUESTIONS_COUNTER).add(1, { method, outcome });
      const result: MethodResult<C> = {
        ...ledger.result(workflowInfo().workflowId, end),
        ...(build !== undefined && { build }),
      };
      if (!asked.record) return result;
      return recordResult(asked.record, result, ledger.calls);
    };

    const begin = () => uncancelled(() => prepare(method, input, asked));
    const isLabelled = hasMethod();
    let label: (attributes: KeywordPair[]) => void = isLabelled ? upsertSearchAttributes : () => {};
    let conclusion: Conclusion<C>;
    const calls = new CancellationScope();
    try {
      const prepared = await begin();
      const { question: checked, options, labels } = prepared.input;
      if (prepared.searchAttributes) label = upsertSearchAttributes;
      if (!isLabelled) label(attributesAtStart(method, labels));

      const { taskQueue } = workflowInfo();
      const settings = {
        ...prepared,
        run: asked.record?.run,
        resample: asked.record?.resample,
        transport: asked.transport,
        callsEach: asked.callsEach,
        modelQueue: prepared.eager ? taskQueue : modelQueue(taskQueue),
      };
      const { perform } = new QuestionCalls(settings, durableActivities(settings), ledger, begin);
      const { fork } = prepared;
      const given = { question: checked, options: options as O };
      const interpreter = {
        perform: fork
          ? performFork(fork, perform, ledger, (call) => perfectOf(call, asked.record))
          : perform,
        flag: ledger.flag,
        patched: patchedOnce(),
        within: <P>(_: unknown, chosen: P) => chosen,
      };
      ({ conclusion } = await calls.run(() => runAlgorithm(algorithm, given, interpreter)));
      label(keywords({ QaOutcome: conclusion.outcome }));
    } catch (error) {
      if (!isLabelled && hasSearchAttributes(error)) {
        label = upsertSearchAttributes;
        label(attributesAtStart(method, {}));
      }
      label(keywords({ QaOutcome: 'failed' }));
      const step = ledger.failedStep;
      await stopCalls(calls, ledger, error);
      const failure = { ...causeOf(error), step };
      throw finalFailure(failure, await keep({ failure }), error);
    }
    return keep(conclusion);
  }
  return workflow as QuestionWorkflow<O, C>;
}

/** Sets the current details of the workflow in the Temporal UI to a table of a question's steps. */
export function showSteps(steps: readonly StepProgress[]): void {
  setCurrentDetails(progressTable(steps));
}

/** Returns the question in an unchecked input; empty if there is none. */
function questionOf(started: unknown): string {
  const { question } = Object(started) as { question?: unknown };
  return typeof question === 'string' ? question.trim() : '';
}

/** Returns whether the question was started with its search attributes. */
function hasMethod(): boolean {
  return workflowInfo()
    .typedSearchAttributes.getAll()
    .some(({ key }) => key.name === 'QaMethod');
}

/**
 * Returns a `patched` that returns the same value each time for an id. Temporal's own can be false
 * during replay and true afterwards, such as in the next round of a loop.
 */
function patchedOnce(): (id: string) => boolean {
  const answers = new Map<string, boolean>();
  return (id) => {
    const isPatched = answers.get(id) ?? patched(id);
    answers.set(id, isPatched);
    return isPatched;
  };
}

/**
 * Returns the output of the step's oracle; undefined if there is none, or if it does not decide the
 * call.
 */
async function perfectOf(
  { step, input, label, output: recorded }: FinishedCall,
  record: RecordRef | undefined,
): Promise<unknown> {
  if (!record) return undefined;
  const { output } = await localFirst(
    () => locally(summaryLine(`${step} ${label}`)).perfectOutput(record, step, input, recorded),
    () => perfectOutput(record, step, input, recorded),
  );
  return output;
}

/**
 * Writes the result and the records of its calls to the run's store, and returns the tally for the
 * run. The workflow's own worker writes it, so that the calls are in no history; if that fails, an
 * activity with all its retries does. Writing it twice changes nothing. A failure that other
 * questions would meet too is not written; the run asks this question again.
 */
async function recordResult(
  record: RecordRef,
  result: MethodResult,
  calls: readonly CallRecord[],
): Promise<Tally> {
  const { failure, usage } = result;
  if (failure && traitsOf(failure.type).common) {
    return { id: record.id, outcome: 'failed', scores: {}, usage, failure };
  }
  const startedAt = workflowInfo().startTime.getTime();
  const answer = [record, result, failure ?? null, startedAt, calls] as const;
  return localFirst(
    () => locally('Keeps the answer with the run').recordAnswer(...answer),
    () => recordAnswer(...answer),
  );
}
