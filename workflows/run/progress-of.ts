/** What a run tells of where it stands. Pure. */
import type { RunProgress } from '../../core/run/run.js';
import { isUsed } from '../../core/usage.js';
import { expectedUsd } from './budget.js';
import type { Standing } from './standing.js';

/** @param running Questions under way. */
export function progressOf(standing: Standing, running: number): RunProgress {
  const { spec, state, pause, settings, questions, metrics, sums, usage, judge, startedAt } =
    standing;
  const { earlier, failures } = standing;
  const isKept = spec.transport && settings.budgetUsd !== null;
  const underWayUsd = isKept ? expectedUsd(standing, running) : null;
  return {
    run: spec.run,
    method: spec.method,
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
    ...(spec.judge !== undefined && { judge }),
    ...(underWayUsd !== null && { underWayUsd }),
    startedAt,
  };
}
