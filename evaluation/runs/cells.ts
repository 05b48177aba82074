import type { Outcome } from '../../core/result.js';
import { sumUsage } from '../../core/usage.js';
import { rejectRate } from '../score-summary.js';
import { quantile } from '../statistics/quantile.js';
import { deviation, questionMeans } from '../statistics/repeats.js';
import { meanInterval } from '../statistics/score-interval.js';
import { isLook } from './fork-accounts.js';
import type { RunFigures } from './run-figures.js';
import { experimentOf } from './run-identity.js';
import type { RunSource } from './run-source.js';
import type { MetricFigures } from './score-tables.js';
import type { StepFigures } from './step-usage.js';

/** One experiment, asked once or several times. */
export interface RunCell {
  /** Positions of its runs. */
  runs: number[];
  /**
   * Of all its runs together: sums of what was counted, and of scores each question's mean over the
   * runs, so that a question is one draw however often it was asked. Named as its first run.
   */
  figures: RunFigures;
  /** By metric the standard deviation between the means of the runs; only of repeats. */
  spread: ReadonlyMap<string, number>;
}

/**
 * Groups runs of the same experiment. Parts of a run that was changed, and forks, whose questions
 * may have been chosen by their answers, stand alone.
 */
export function cellsOf(sources: readonly RunSource[], runs: readonly RunFigures[]): RunCell[] {
  const cells = new Map<string, number[]>();
  for (const [position, { manifest }] of runs.entries()) {
    const isAlone = sources[position]?.part !== undefined || isLook(manifest);
    const key = isAlone ? `alone ${position}` : experimentOf(manifest);
    cells.set(key, [...(cells.get(key) ?? []), position]);
  }
  return [...cells.values()].map((positions) => {
    const repeats = positions.flatMap((position) => runs[position] ?? []);
    return { runs: positions, figures: pooled(repeats), spread: spreadOf(repeats) };
  });
}

function pooled(repeats: readonly RunFigures[]): RunFigures {
  const [first] = repeats;
  if (!first || repeats.length === 1) return first as RunFigures;
  const outcomes = sumCounts(repeats.map((run) => run.outcomes));
  const judging = repeats.flatMap((run) => run.judging ?? []);
  const seconds = Float64Array.from(
    repeats.flatMap(({ durations }) => [...(durations?.sorted ?? [])]),
  ).sort();
  const failures = new Map<string, RunFigures['failures'][0]>();
  for (const failure of repeats.flatMap((run) => run.failures)) {
    const key = JSON.stringify([failure.type, failure.step]);
    const before = failures.get(key);
    failures.set(key, {
      ...(before ?? failure),
      questions: (before?.questions ?? 0) + failure.questions,
    });
  }
  const total = (pick: (run: RunFigures) => number) =>
    repeats.reduce((sum, run) => sum + pick(run), 0);
  return {
    ...first,
    manifest: { ...first.manifest, questions: total(({ manifest }) => manifest.questions) },
    ended: total(({ ended }) => ended),
    outdated: total(({ outdated }) => outdated),
    retrievals: total(({ retrievals }) => retrievals),
    outcomes,
    states: sumCounts(repeats.map((run) => run.states)),
    rejectRate: rejectRate(outcomes),
    metrics: first.metrics.map(({ metric }) =>
      pooledMetric(
        repeats.flatMap(({ metrics }) => metrics.find((one) => one.metric === metric) ?? []),
      ),
    ),
    usage: sumUsage(repeats.map(({ usage }) => usage)),
    earlier: sumUsage(repeats.map(({ earlier }) => earlier)),
    judging: judging.length === 0 ? undefined : sumUsage(judging),
    steps: pooledSteps(repeats),
    durations:
      seconds.length === 0
        ? undefined
        : { median: quantile(seconds, 0.5), p90: quantile(seconds, 0.9), sorted: seconds },
    failures: [...failures.values()].sort((a, b) => b.questions - a.questions),
    flags: sumCounts(repeats.map((run) => run.flags as Record<string, number>)),
    builds: sumCounts(repeats.map((run) => run.builds)),
  };
}

function pooledSteps(repeats: readonly RunFigures[]): StepFigures[] {
  const steps = new Map<string, StepFigures>();
  for (const one of repeats.flatMap((run) => run.steps)) {
    const before = steps.get(one.step);
    if (!before) {
      steps.set(one.step, one);
      continue;
    }
    const tiers = sumCounts([before.tiers ?? {}, one.tiers ?? {}]);
    steps.set(one.step, {
      ...{ step: one.step, questions: before.questions + one.questions },
      models: [...new Set([...before.models, ...one.models])].sort(),
      ...sumUsage([before, one]),
      ...((before.tiers || one.tiers) && { tiers }),
    });
  }
  return [...steps.values()];
}

function pooledMetric(repeats: readonly MetricFigures[]): MetricFigures {
  const meanOver = (...left: Outcome[]) =>
    questionMeans(
      repeats.map(
        ({ scores, outcomes }) =>
          new Map([...scores].filter(([id]) => !left.some((one) => one === outcomes.get(id)))),
      ),
    );
  const intervalOf = (scores: ReadonlyMap<string, number>) =>
    scores.size === 0 ? undefined : { ...meanInterval(scores.values()), questions: scores.size };
  const scores = meanOver();
  return {
    ...(repeats[0] as MetricFigures),
    scores,
    all: intervalOf(scores),
    withoutFailed: intervalOf(meanOver('failed')),
    answered: intervalOf(meanOver('failed', 'unreadable', 'unknown')),
  };
}

function spreadOf(repeats: readonly RunFigures[]): ReadonlyMap<string, number> {
  if (repeats.length < 2) return new Map();
  const names = repeats[0]?.metrics.map(({ metric }) => metric) ?? [];
  return new Map(
    names.map((name) => {
      const means = repeats.flatMap(
        ({ metrics }) => metrics.find(({ metric }) => metric === name)?.all?.mean ?? [],
      );
      return [name, deviation(means) ?? 0];
    }),
  );
}

function sumCounts<K extends string>(counts: readonly Record<K, number>[]): Record<K, number> {
  const sums: Record<string, number> = {};
  for (const one of counts) {
    for (const [name, number] of Object.entries<number>(one)) {
      sums[name] = (sums[name] ?? 0) + number;
    }
  }
  return sums;
}
