import { CancellationScope, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { JudgeScores, RecordRef, RunContext } from '../core/run/run.js';
import { judgeModel } from '../core/step-models.js';
import { judgeStatementsAndClaims } from '../evaluation/citations/judge-answer.js';
import type { RubricReply } from '../steps/rubric.js';
import type { RubricVerdict } from '../stores/runs/run-store.js';
import type { JudgeTask, RubricTask, RunActivities } from './activities/run.js';
import { type Call, stepsOf } from './algorithm.js';
import { Ledger } from './question/ledger.js';
import { QuestionCalls } from './question/question-calls.js';
import { progressQuery, showSteps } from './question/question-workflow.js';
import { durableActivities, type QuestionSettings } from './question/step-activities.js';
import { modelQueue } from './queue/task-queues.js';
import { causeOf, finalFailure, stopCalls } from './workflow-failure.js';

const { readJudgeTask, recordJudgement } = proxyActivities<RunActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
});

/**
 * The workflow that judges the recorded answer to a question of a run. It asks the judge about each
 * statement with citations, each reference claim and each rubric, records the verdicts, and returns
 * the judge's scores and usage.
 *
 * A failed call fails the workflow with an ApplicationFailure. Its type is the cause and its first
 * detail the usage so far. Nothing is recorded then; when the answer is judged again, the response
 * cache serves the calls already made.
 *
 * @param record The reference with which `recordAnswer` recorded the answer.
 */
export async function judgeAnswer(
  record: RecordRef,
  { transport, callsEach }: Pick<RunContext, 'callsEach' | 'transport'> = {},
): Promise<JudgeScores> {
  const task = await readJudgeTask(record);
  const ledger = new Ledger('judgeAnswer', task.question, showSteps);
  setHandler(progressQuery, () => ledger.progress);
  const settings = {
    ...judgeSettings(task),
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
    const found = await calls.run(() => askJudge(task, perform));
    const { usage, flags, steps } = ledger;
    const verdicts = { ...found, flags, steps };
    return { ...(await recordJudgement(record, { verdicts, usage })), usage };
  } catch (error) {
    await stopCalls(calls, ledger, error);
    throw finalFailure(causeOf(error), { usage: ledger.usage }, error);
  }
}

/**
 * Returns the settings of the calls with which a judge is asked: those of the run, with the judge
 * as the only model.
 */
export function judgeSettings({ judge, settings, question, tenant }: JudgeTask): QuestionSettings {
  const input = { ...settings, models: { default: judge }, question };
  return { input, defaultModel: judgeModel(judge), tenant };
}

/**
 * Asks a judge about all statements, claims and rubrics of a task. Returns an object with the
 * verdicts: `statements` and `claims`, each an array, or null if the task has none to judge, and
 * `rubrics`, an array that is absent if the task has no rubric.
 *
 * @param perform Carries out each call.
 */
export async function askJudge(task: JudgeTask, perform: (call: Call) => Promise<unknown>) {
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
