import type { RunsEvaluation } from './evaluate-runs.js';
import type { Durations, RunFigures } from './run-figures.js';

/** The figures of `comparisonText`, by the names of the runs; docs/command-line.md describes it. */
export function comparisonJson({
  runs,
  comparisons,
  controls,
  forks,
  notes,
}: RunsEvaluation): object {
  const named = <T extends { first: number; second: number }>({ first, second, ...rest }: T) => ({
    first: runs[first]?.manifest.run,
    second: runs[second]?.manifest.run,
    ...rest,
  });
  return {
    runs: runs.map(runJson),
    comparisons: comparisons.map(named),
    controls: controls.map(named),
    forks: forks.map(({ fork, parent, ...rest }) => ({
      fork: runs[fork]?.manifest.run,
      parent: runs[parent]?.manifest.run,
      ...rest,
    })),
    notes,
  };
}

function runJson(run: RunFigures): object {
  const { manifest, ended, outcomes, states, rejectRate, metrics } = run;
  const { usage, earlier, judging, retrievals, failures, flags } = run;
  const means = metrics.map(({ metric, group, all, withoutFailed, answered }) => [
    metric,
    { group, all: all ?? null, withoutFailed: withoutFailed ?? null, answered: answered ?? null },
  ]);
  return {
    ...{ run: manifest.run, method: manifest.input.method, questions: manifest.questions, ended },
    ...{ outcomes, states, rejectRate: rejectRate ?? null, metrics: Object.fromEntries(means) },
    ...{ usage, earlier, judge: judging ?? null, retrievals, failures, flags },
    workingSeconds: secondsJson(run.working),
    seconds: secondsJson(run.durations),
  };
}

function secondsJson(durations: Durations | undefined): object | null {
  return durations ? { median: durations.median, p90: durations.p90 } : null;
}
