/** Converts the status of a run to the JSON that `--json` prints. Pure. */

import type { RunProgress } from '../../core/run/run.js';
import { reportedUsage } from '../../core/usage.js';
import { scoreInterval } from '../../evaluation/statistics/score-interval.js';
import { nextStep } from './next-step.js';
import type { RunStatus } from './run-status.js';

/**
 * Returns a run's status as the JSON that `--json` prints, which docs/command-line.md describes.
 */
export function statusJson(status: RunStatus): object {
  const { state, reason, progress, isKept, isCounted, stuck, changes = [] } = status;
  const { idleSearch = null } = status;
  const { run, method, questions, done, running, outcomes, usage, settings } = progress;
  const counted = {
    done,
    running,
    outcomes,
    failures: progress.failures ?? [],
    scores: scoresJson(progress.scores),
    builds: progress.builds ?? null,
    usage: reportedUsage(usage),
    earlier: progress.earlier ?? null,
    judge: progress.judge ?? null,
  };
  return {
    run,
    method,
    state,
    reason,
    questions: questions > 0 || isCounted ? questions : null,
    ...(isCounted ? counted : Object.fromEntries(Object.keys(counted).map((key) => [key, null]))),
    settings,
    startedAt: new Date(progress.startedAt).toISOString(),
    resultsKept: isKept,
    idleSearch,
    stuck,
    changes: changes.map(({ at, answered, differences }) => ({ at, answered, differences })),
    next: nextStep(status),
  };
}

function scoresJson(sums: RunProgress['scores']): object {
  const scored = Object.entries(sums).filter(([, { questions }]) => questions > 0);
  return Object.fromEntries(
    scored.map(([metric, sum]) => [metric, { questions: sum.questions, ...scoreInterval(sum) }]),
  );
}
