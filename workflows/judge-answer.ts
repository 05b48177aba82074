/** Asks a judge about an answer of a run: whether its citations hold, and what it says of the claims. */
import { proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BatchActivities } from '../activities/batch/index.js';
import type { JudgeTask } from '../activities/batch/judge-task.js';
import { judgeStatement, type StatementVerdict } from '../evaluation/citations/judge.js';
import { citationScores, claimRecall } from '../evaluation/citations/scores.js';
import type { Judged, RecordRef } from '../methods/batch.js';
import { modelQueue } from '../methods/task-queues.js';
import type { ClaimVerdict } from '../results/run-store.js';
import { causeOf, ended } from './failures.js';
import { Ledger } from './ledger.js';
import { progressQuery } from './question-workflow.js';
import { createSteps, type Steps } from './steps.js';

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
    { input: { ...settings, models: {} }, defaultModel: judge },
    modelQueue(workflowInfo().taskQueue),
    ledger,
  );
  try {
    const [statements, claims] = await Promise.all([
      judgeCitations(task, step),
      judgeClaims(task, step),
    ]);
    const { usage, flags, steps } = ledger;
    const scores = scoresOf(statements, claims);
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

/** Positions travel, and the ids they stand for. */
async function judgeCitations(
  { statements, citations }: JudgeTask,
  step: Steps,
): Promise<StatementVerdict[] | null> {
  if (statements === null) return null;
  const idsOf = (cited: readonly number[]) =>
    cited.flatMap(
      (position) => citations.find(({ number }) => number === position + 1)?.passage ?? [],
    );
  const entails = async (cited: readonly number[], claim: string) =>
    (await step.judgeClaim({ claim, premise: idsOf(cited) })) === true;
  return Promise.all(statements.map((statement) => judgeStatement(statement, entails)));
}

async function judgeClaims(
  { claims, answer }: JudgeTask,
  step: Steps,
): Promise<ClaimVerdict[] | null> {
  if (claims === null) return null;
  return Promise.all(
    claims.map(async (claim) => {
      const entailed = await step.judgeClaim({ claim, premise: { text: answer } });
      return { claim, entailed: entailed === true };
    }),
  );
}

/** An answer to be cited that has no statement has 0, as one that was not given. */
function scoresOf(
  statements: StatementVerdict[] | null,
  claims: ClaimVerdict[] | null,
): Record<string, number> {
  const { recall = 0, precision = 0, f1 = 0 } = (statements && citationScores(statements)) ?? {};
  return {
    ...(statements && { citationRecall: recall, citationPrecision: precision, citationF1: f1 }),
    ...(claims && { claimRecall: claimRecall(claims.map(({ entailed }) => entailed)) }),
  };
}
