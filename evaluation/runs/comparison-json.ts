/** Writes the figures and comparisons of runs as JSON. Pure. */
import { reportedUsage } from '../../core/usage.js';
import type { ComparedCell, Comparison, Pair } from '../comparisons/compare-pairs.js';
import { PAIRED_TEST } from '../statistics/paired-difference.js';
import type { RunsEvaluation } from './evaluate-runs.js';
import { scaledDifference, scaledInterval } from './metrics.js';
import type { Durations, RunFigures } from './run-figures.js';
import { cellNames, methodText, namesIn } from './run-labels.js';

/**
 * Returns evaluated runs as an object for JSON, with the names of the runs in place of their
 * positions: `runs`, `test`, `comparisons`, `slices` (absent without any), `controls`, `forks` and
 * `notes`. Its fields are described in docs/command-line.md.
 */
export function comparisonJson({
  runs,
  cells,
  comparisons,
  controls,
  slices,
  forks,
  notes,
}: RunsEvaluation): object {
  const called = cellNames(cells);
  const nameOf = (position: number) => runs[position]?.manifest.run;
  return {
    runs: runs.map(runJson),
    test: PAIRED_TEST,
    comparisons: comparisons.map((comparison) => ({
      ...namesIn(called, comparison),
      runs: { first: comparison.pair.first.names, second: comparison.pair.second.names },
      ...comparedJson(comparison),
    })),
    ...(slices.length > 0 && {
      slices: slices.map(({ field, value, runs: own }) => ({
        field,
        value,
        runs: own.map(({ run, metrics }) => ({
          run,
          metrics: Object.fromEntries(
            metrics.map(({ metric, mean, range }) => [metric, scaledInterval(mean, range)]),
          ),
        })),
      })),
    }),
    controls: controls.map(({ first, second, ...rest }) => ({
      first: nameOf(first),
      second: nameOf(second),
      ...rest,
    })),
    forks: forks.map(({ fork, parent, ...rest }) => ({
      fork: nameOf(fork),
      parent: nameOf(parent),
      ...rest,
    })),
    notes,
  };
}

/** Returns a comparison without its cells, and without the band of a sequential test. */
function comparedJson<C extends ComparedCell>({
  pair: _,
  sequential,
  range,
  difference,
  ...rest
}: Comparison<Pair<C>>): object {
  const { band, ...test } = sequential ?? { band: undefined };
  return {
    ...rest,
    difference: scaledDifference(difference, range),
    ...(sequential && { sequential: test }),
  };
}

function runJson(run: RunFigures): object {
  const { manifest, ended, outcomes, states, rejectRate, metrics } = run;
  const { usage, earlier, judging, retrievals, failures, flags } = run;
  const means = metrics.map(({ metric, group, range, ...bases }) => {
    const [all, withoutFailed, answered] = [bases.all, bases.withoutFailed, bases.answered].map(
      (mean) => (mean ? scaledInterval(mean, range) : null),
    );
    return [metric, { group, all, withoutFailed, answered }];
  });
  return {
    run: manifest.run,
    method: methodText(manifest),
    questions: manifest.questions,
    ended,
    outcomes,
    states,
    rejectRate: rejectRate ?? null,
    metrics: Object.fromEntries(means),
    usage: reportedUsage(usage),
    earlier,
    judge: judging ?? null,
    failures,
    flags,
    retrievals: usage.answersWithoutUsage === undefined ? retrievals : null,
    workingSeconds: secondsJson(run.working),
    seconds: secondsJson(run.durations),
  };
}

function secondsJson(durations: Durations | undefined): object | null {
  return durations ? { median: durations.median, p90: durations.p90 } : null;
}
