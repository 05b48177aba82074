/** Asks a judge about an answer of a run: whether its citations hold, and what it says of the claims. */
import { proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BatchActivities } from '../activities/batch/index.js';
import { judgeWhole } from '../evaluation/citations/judge-answer.js';
import type { Judged, RecordRef } from '../methods/batch/batch.js';
import { modelQueue } from '../methods/task-queues.js';
import { causeOf, ended } from './failures.js';
import { Ledger } from './ledger.js';
import { progressQuery } from './question-workflow.js';
import { createSteps } from './steps.js';

const { readJudgeTask, recordJudgement } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
});

/**
 * Judges the answer that a run has recorded, and records what was found with it; one call a claim.
 *
 * A failure of a call fails the workflow with an ApplicationFailure whose type is the cause and
 * whose first detail is the usage so far; nothing is recorded then, and the response cache serves
 * the calls that were made when the answer is judged again.
 *
 * @param record As `recordAnswer` was given it, when its tally said that there is something to judge.
 */
export async function judgeAnswer(record: RecordRef): Promise<Judged> {
  const task = await readJudgeTask(record);
  const ledger = new Ledger('judgeAnswer', task.question);
  setHandler(progressQuery, () => ledger.progress);
  const { judge, settings } = task;
  const { steps: step } = createSteps(
    { input: { ...settings, models: {}, question: task.question }, defaultModel: judge },
    modelQueue(workflowInfo().taskQueue),
    ledger,
  );
  try {
    const { statements, claims, scores } = await judgeWhole(
      task,
      async (claim, premise) => (await step.judgeClaim({ claim, premise })) === true,
    );
    const { usage, flags, steps } = ledger;
    await recordJudgement(record, {
      scores,
      usage,
      verdicts: { statements, claims, flags, steps },
    });
    return { scores, usage };
  } catch (error) {
    throw ended(causeOf(error), { usage: ledger.usage }, error);
  }
}
