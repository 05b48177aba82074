/** What a batch tells of where it stands. Pure. */
import type { BatchProgress } from '../../core/run/batch.js';
import { isUsed } from '../../core/usage.js';
import { expectedUsd } from './budget.js';
import type { Standing } from './standing.js';

/** @param running Questions under way. */
export function progressOf(standing: Standing, running: number): BatchProgress {
  const { batch, state, pause, settings, questions, metrics, sums, usage, judge, startedAt } =
    standing;
  const { earlier, failures } = standing;
  const isKept = batch.transport && settings.budgetUsd !== null;
  const underWayUsd = isKept ? expectedUsd(standing, running) : null;
  return {
    run: batch.run,
    method: batch.method,
    state: state === 'running' && pause ? 'paused' : state,
    pause,
    settings,
    questions,
    running,
    ...sums,
    ...(metrics && { metrics }),
    usage,
    ...(isUsed(earlier) && { earlier }),
    ...(failures.length > 0 && { failures }),
    ...(batch.judge !== undefined && { judge }),
    ...(underWayUsd !== null && { underWayUsd }),
    startedAt,
  };
}
