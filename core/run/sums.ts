/** Sums the results of a run's questions. Pure. */
import type { KeptSums, ScoreSum, Tally, Unscored } from './run.js';

export const noSums: KeptSums = {
  done: 0,
  outcomes: { answered: 0, unknown: 0, unreadable: 0, failed: 0 },
  scores: {},
};

export function addTally(
  sums: KeptSums,
  tally: Pick<Tally, 'build' | 'outcome' | 'scores' | 'unscored'>,
): KeptSums {
  const { done, outcomes, builds } = sums;
  const { outcome, build } = tally;
  return {
    ...addScores(sums, tally),
    done: done + 1,
    outcomes: { ...outcomes, [outcome]: outcomes[outcome] + 1 },
    ...withBuilds(builds, build === undefined ? {} : { [build]: 1 }),
  };
}

/** Returns the sums with further scores of a question that they already include. */
export function addScores(
  sums: KeptSums,
  { scores, unscored }: Pick<Tally, 'scores' | 'unscored'>,
): KeptSums {
  const of = (score: number) => ({ questions: 1, sum: score, sumOfSquares: score * score });
  return {
    ...sums,
    scores: merged(sums.scores, mapped(scores, of), addSum),
    ...withUnscored(countReasons(sums.unscored, unscored)),
  };
}

/** Returns the sums of two disjoint sets of questions. */
export function addSums(a: KeptSums, b: KeptSums): KeptSums {
  return {
    done: a.done + b.done,
    outcomes: merged(a.outcomes, b.outcomes, (one, other) => one + other) as KeptSums['outcomes'],
    scores: merged(a.scores, b.scores, addSum),
    ...withUnscored(merged(a.unscored ?? {}, b.unscored ?? {}, addUnscored)),
    ...withBuilds(a.builds, b.builds),
  };
}

/** Returns the builds; empty if none is known. */
function withBuilds(
  a: Record<string, number> = {},
  b: Record<string, number> = {},
): Pick<KeptSums, 'builds'> {
  const builds = merged(a, b, (one, other) => one + other);
  return Object.keys(builds).length === 0 ? {} : { builds };
}

type ByMetric<T> = Record<string, T>;

/** Counts, by metric, another question without a score, with the reason. */
export function countReasons(
  unscored: ByMetric<Unscored> = {},
  reasons: ByMetric<string> = {},
): ByMetric<Unscored> {
  const more = mapped(reasons, (example) => ({ questions: 1, example }));
  return merged(unscored, more, addUnscored);
}

/** Returns the counts; empty if there are none, as in a run without custom metrics. */
function withUnscored(unscored: ByMetric<Unscored>): Pick<KeptSums, 'unscored'> {
  return Object.keys(unscored).length === 0 ? {} : { unscored };
}

/** Adds the counts; the example is the first one's. */
function addUnscored(a: Unscored, b: Unscored): Unscored {
  return { ...a, questions: a.questions + b.questions };
}

function addSum(a: ScoreSum, b: ScoreSum): ScoreSum {
  return {
    questions: a.questions + b.questions,
    sum: a.sum + b.sum,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
  };
}

function merged<T>(a: ByMetric<T>, b: ByMetric<T>, add: (a: T, b: T) => T): ByMetric<T> {
  const added = Object.entries(b).map(([metric, other]) => {
    const one = a[metric];
    return [metric, one === undefined ? other : add(one, other)];
  });
  return { ...a, ...Object.fromEntries(added) };
}

function mapped<T, U>(values: ByMetric<T>, map: (value: T) => U): ByMetric<U> {
  return Object.fromEntries(Object.entries(values).map(([metric, value]) => [metric, map(value)]));
}
