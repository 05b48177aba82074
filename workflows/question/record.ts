/** Recording a question's result for the run that asks it. */
import { workflowInfo } from '@temporalio/workflow';
import { traitsOf } from '../../core/failure.js';
import type { MethodResult } from '../../core/result.js';
import type { RecordRef, Tally } from '../../core/run/run.js';
import { recordAnswer } from '../run/activities.js';
import { localFirst, locally } from './local-first.js';

/**
 * Puts the result into the run's store.
 *
 * @param isLocal Whether the worker keeps it by itself. Written twice it stays one answer.
 * @returns what the run counts. What every other question would meet as well is not recorded: the
 *   batch asks this one again.
 */
export async function recordResult(
  record: RecordRef,
  result: MethodResult,
  isLocal: boolean,
): Promise<Tally> {
  const { failure, usage } = result;
  if (failure && traitsOf(failure.type).common) {
    return { id: record.id, outcome: 'failed', scores: {}, usage, failure };
  }
  const startedAt = workflowInfo().startTime.getTime();
  const answer = [record, result, failure ?? null, startedAt] as const;
  const usual = () => recordAnswer(...answer);
  return isLocal ? localFirst(() => locally.recordAnswer(...answer), usual) : usual();
}
