import { CancellationScope, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { JudgeScores, RecordRef, RunContext } from '../core/run/run.js';
import { judgeModel } from '../core/step-models.js';
import { judgeStatementsAndClaims } from '../evaluation/citations/judge-answer.js';
import type { RubricReply } from '../steps/rubric.js';
import type { RubricVerdict } from '../stores/runs/run-store.js';
import type { JudgeTask, RubricTask, RunActivities } from './activities/run.js';
import { type Call, stepsOf } from './algorithm.js';
import { causeOf, ended, stopCalls } from './failures.js';
import { Ledger } from './question/ledger.js';
import { QuestionCalls, type QuestionSettings } from './question/question-calls.js';
import { progressQuery, showSteps } from './question/question-workflow.js';
import { durableActivities } from './question/step-activities.js';
import { modelQueue } from './queue/task-queues.js';

const { readJudgeTask, recordJudgement } = proxyActivities<RunActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
});

/**
 * Judges the recorded answer of a run and records the findings. Makes one call for each claim and
 * one for each rubric.
 *
 * A failed call fails the workflow with an ApplicationFailure. Its type is the cause and its first
 * detail the usage so far. Nothing is recorded then; when the answer is judged again, the response
 * cache serves the calls already made.
 *
 * @param record The record given to `recordAnswer`, whose tally said that there is something to
 * judge.
 */
export async function judgeAnswer(
  record: RecordRef,
  { transport, callsEach }: Pick<RunContext, 'callsEach' | 'transport'> = {},
): Promise<JudgeScores> {
  const task = await readJudgeTask(record);
  const ledger = new Ledger('judgeAnswer', task.question, showSteps);
  setHandler(progressQuery, () => ledger.progress);
  const settings = {
    ...judgeCalls(task),
    transport,
    callsEach,
    isBegun: true,
    run: record.run,
    modelQueue: modelQueue(workflowInfo().taskQueue),
  };
  const { perform } = new QuestionCalls(settings, durableActivities(settings), ledger, () =>
    readJudgeTask(record),
  );
  const calls = new CancellationScope();
  try {
    const found = await calls.run(() => judgedBy(task, perform));
    const { usage, flags, steps } = ledger;
    const verdicts = { ...found, flags, steps };
    return { ...(await recordJudgement(record, { verdicts, usage })), usage };
  } catch (error) {
    await stopCalls(calls, ledger, error);
    throw ended(causeOf(error), { usage: ledger.usage }, error);
  }
}

/** Returns the settings of a judge's calls. */
export function judgeCalls({ judge, settings, question, tenant }: JudgeTask): QuestionSettings {
  const input = { ...settings, models: { default: judge }, question };
  return { input, defaultModel: judgeModel(judge), tenant };
}

/**
 * Asks a judge about everything in its task, and returns the verdicts; `perform` carries out each
 * call.
 */
export async function judgedBy(task: JudgeTask, perform: (call: Call) => Promise<unknown>) {
  const { step, ask } = stepsOf(perform);
  const [{ statements, claims }, rubrics] = await Promise.all([
    judgeStatementsAndClaims(
      task,
      async (claim, premise) => (await step.judgeClaim({ claim, premise })) === true,
    ),
    Promise.all((task.rubrics ?? []).map(readBy)),
  ]);
  return { statements, claims, ...(rubrics.length > 0 && { rubrics }) };

  /** Asks a rubric, a step registered with the workers under the name of its metric. */
  async function readBy({ metric, title, input }: RubricTask): Promise<RubricVerdict> {
    const rubric = { name: metric, label: () => title };
    return { metric, ...(await ask<RubricTask['input'], RubricReply>(rubric, input)) };
  }
}
