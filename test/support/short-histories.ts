/** A study whose histories are short. */
import { Client } from '@temporalio/client';
import { checkedCells } from '../../client/study.js';
import type { StudyPlan } from '../../core/study/plan.js';
import { parseStudy, type StudyInput } from '../../core/study/study.js';
import type { Harness } from './harness.js';
import { type History, historiesOf } from './history.js';

/**
 * Starts a study that goes on in a new history after so many rounds.
 *
 * @returns What reads its histories, once it has ended.
 */
export async function startInShortHistories(
  { connection, taskQueue }: Harness,
  input: StudyInput,
  roundsPerHistory: number,
): Promise<() => Promise<History[]>> {
  const { name, budgetUsd, untilDecided } = parseStudy(input);
  const runs = checkedCells(input).flatMap(({ inputs }) => inputs);
  const plan = { study: name, runs, budgetUsd, untilDecided } as StudyPlan;
  const workflowId = `study/${name}`;
  const { workflow } = new Client({ connection });
  const started = await workflow.start('evaluateStudy', {
    workflowId,
    taskQueue,
    args: [plan, null, roundsPerHistory],
  });
  return () => historiesOf(connection, workflowId, started.firstExecutionRunId);
}
