/** Recording a question's result for the batch that asks it. */
import { workflowInfo } from '@temporalio/workflow';
import type { RecordRef, Tally } from '../methods/batch/batch.js';
import { COMMON_FAILURES } from '../methods/failure.js';
import type { MethodResult } from '../methods/result.js';
import { recordAnswer } from './batch/activities.js';

/**
 * Puts the result into the run's store.
 *
 * @returns what the batch counts. What every other question would meet as well is not recorded: the
 *   batch asks this one again.
 */
export async function recordResult(record: RecordRef, result: MethodResult): Promise<Tally> {
  const { failure, usage } = result;
  if (failure && COMMON_FAILURES.has(failure.type)) {
    return { id: record.id, outcome: 'failed', scores: {}, usage, failure };
  }
  return recordAnswer(record, result, failure ?? null, workflowInfo().startTime.getTime());
}
