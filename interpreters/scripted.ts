/**
 * Runs a method's algorithm in this process, without a Temporal server, with a worker's activities
 * and the bookkeeping of its workflow. Calls are not retried, and nothing survives the process.
 */

import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import { type ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { createModelActivities, createQuestionActivities } from '../activities/index.js';
import type { OfflinePorts, Ports, ServerPorts } from '../activities/runtime/ports.js';
import type { ModelActivity } from '../activities/runtime/run-model-step.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { MethodResult } from '../core/result.js';
import type { CallRecord } from '../steps/call-record.js';
import type { StepName } from '../steps/table.js';
import { runAlgorithm } from '../workflows/algorithm.js';
import { Ledger, type QuestionEnd } from '../workflows/question/ledger.js';
import { QuestionCalls } from '../workflows/question/question-calls.js';
import type { StepActivities } from '../workflows/question/step-activities.js';
import { causeOf } from '../workflows/workflow-failure.js';
import { modelStepNamed } from './planning.js';
import { algorithmOf } from './replay.js';

/** Workflow id in a result. */
const SCRIPTED_ID = 'scripted';

/**
 * Answers a question by a method, shipped or in `ports.methods`, in this process.
 *
 * @param unpatched Ids of Temporal patches that count as not applied; all others are.
 * @returns The result that its workflow would return, also for a question that failed.
 * @throws Failure BadInput for an invalid input, or for a method that declares no algorithm; errors
 * of the algorithm's own code.
 */
export async function answerInProcess(
  name: string,
  input: MethodInput<object>,
  ports: OfflinePorts,
  unpatched?: readonly string[],
): Promise<MethodResult> {
  return (await answerAndRecordCalls(name, input, ports, unpatched)).result;
}

/**
 * Answers a question by a method in this process, and returns the result that its workflow would
 * return (`result`), also for a question that failed, and the records of the question's calls
 * (`calls`).
 *
 * @param unpatched Ids of Temporal patches that count as not applied; all others are.
 * @throws Failure BadInput for an invalid input, or for a method that declares no algorithm;
 * errors of the algorithm's own code.
 */
export async function answerAndRecordCalls(
  name: string,
  input: MethodInput<object>,
  ports: OfflinePorts,
  unpatched: readonly string[] = [],
): Promise<{ result: MethodResult; calls: CallRecord[] }> {
  const method = methodNamed(name, ports.methods);
  const algorithm = algorithmOf(method);
  const ledger = new Ledger(name, parseInput(method, input).question);
  const stop = new AbortController();
  const { prepare, ...activities } = activitiesOf({ ...NO_SERVER, ...ports }, stop.signal);
  const begin = () => prepare(name, input);
  const answer = async (): Promise<QuestionEnd<unknown>> => {
    try {
      const prepared = await begin();
      const { perform } = new QuestionCalls(prepared, () => activities, ledger, begin);
      const patched = (id: string) => !unpatched.includes(id);
      const interpreter = { perform, flag: ledger.flag, patched };
      return (await runAlgorithm(algorithm, prepared.input, interpreter)).conclusion;
    } catch (error) {
      const step = ledger.failedStep;
      stop.abort(new CancelledFailure('The question has failed.'));
      await ledger.idle();
      return { failure: { ...causeOf(error), step } };
    }
  };
  const result = ledger.result(SCRIPTED_ID, await answer());
  return asJson({ result, calls: ledger.calls });
}

/**
 * Number of calls so far, from which each call gets its own id: an unreadable response that one paid
 * for is not used by another.
 */
let calls = 0;

/**
 * Returns a worker's activities, each run in a context of its own, with input and output as JSON.
 */
function activitiesOf(ports: Ports, signal: AbortSignal) {
  const worker = { ...createQuestionActivities(ports), ...createModelActivities(ports) };
  const alone = Object.entries<(...args: never[]) => Promise<unknown>>(worker).map(
    ([type, activity]) => {
      const run = async (...args: never[]) => {
        signal.throwIfAborted();
        const given = asJson(args);
        const attempt = { type, id: `${++calls}`, signal: AbortSignal.any([signal]) };
        return asJson(await runAsActivity(attempt, () => activity(...given)));
      };
      return [type, run] as const;
    },
  );
  const activities = Object.fromEntries(alone) as typeof worker;
  const ask: StepActivities['ask'] = (step, ...args) => {
    const { name } = modelStepNamed(step, ports.steps);
    const activity = activities[name as StepName] as ModelActivity<unknown, unknown>;
    return activity(...args);
  };
  const act: StepActivities['act'] = (step, ...args) => {
    const activity = activities[step as keyof typeof activities] as unknown;
    if (typeof activity === 'function') return activity(...args);
    throw new Failure(
      'BadInput',
      `The method asks an action "${step}", which is not declared under "steps".`,
    );
  };
  return { ...activities, ask, act };
}

function asJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

const refuse = () => Promise.reject(new Error('A scripted question has no Temporal server.'));

const NO_SERVER: ServerPorts = {
  queueLimits: { ask: refuse },
  queueRates: { set: refuse, get: refuse },
  waiting: {
    complete: refuse,
    fail: refuse,
    extendHeartbeat: refuse,
    beat: refuse,
    expect: refuse,
    collect: refuse,
    span: () => undefined,
  },
  watch: { ended: refuse, isRunning: async () => true, runsOf: async () => 1 },
};

/** The context in which an activity is run. */
interface ActivityRun {
  /** The name of the activity. */
  type: string;
  /** Its id, the same over its attempts. */
  id: string;
  /** Fires when it is cancelled. */
  signal: AbortSignal;
  /** Reason of the cancellation; undefined if unknown. */
  cancellation?: ActivityCancellationDetails | undefined;
  /** Last heartbeat of the previous attempt. */
  details?: unknown;
  /** Called with each heartbeat. */
  beat?(details: unknown): void;
}

/**
 * Runs a function as one attempt of an activity, in an activity context made of these values;
 * returns its result or throws its error.
 */
export function runAsActivity<T>(
  { type, id, signal, cancellation, details, beat = () => {} }: ActivityRun,
  activity: () => Promise<T>,
): Promise<T> {
  const info = {
    activityId: id,
    activityType: type,
    attempt: 1,
    workflowExecution: { workflowId: 'workflow', runId: 'run' },
    scheduledTimestampMs: Date.now(),
    heartbeatDetails: details,
  } as Info;
  // Our activities do not use the rest of the context.
  const unused = undefined as never;
  const why = cancellation ? { details: cancellation } : {};
  const context = new Context(info, unused, signal, beat, unused, unused, unused, why);
  return asyncLocalStorage.run(context, activity);
}
