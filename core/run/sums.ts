/** Sums the outcomes and scores of a run's questions. Pure. */
import type { RunSums, ScoreSum, Tally, UnscoredAnswers } from './run.js';

/** The counts and sums of no questions: all zero. */
export const NO_SUMS: RunSums = {
  done: 0,
  outcomes: { answered: 0, unknown: 0, unreadable: 0, failed: 0 },
  scores: {},
};

/** Returns the sums with the outcome, scores and build of another ended question added. */
export function addTally(
  sums: RunSums,
  tally: Pick<Tally, 'build' | 'outcome' | 'scores' | 'unscored'>,
): RunSums {
  const { done, outcomes, builds } = sums;
  const { outcome, build } = tally;
  return {
    ...addScores(sums, tally),
    done: done + 1,
    outcomes: { ...outcomes, [outcome]: outcomes[outcome] + 1 },
    ...withBuilds(builds, build === undefined ? {} : { [build]: 1 }),
  };
}

/**
 * Returns a run's sums with further scores of a question that they already count, such as those of
 * a judge, added to the sums by metric, and the reasons for missing scores to their counts. The
 * number of ended questions stays as it is.
 */
export function addScores(
  sums: RunSums,
  { scores, unscored }: Pick<Tally, 'scores' | 'unscored'>,
): RunSums {
  const of = (score: number) => ({ questions: 1, sum: score, sumOfSquares: score * score });
  return {
    ...sums,
    scores: merged(sums.scores, mapped(scores, of), addSum),
    ...withUnscored(countReasons(sums.unscored, unscored)),
  };
}

/** Returns the sums over two sets of questions, which must have none in common. */
export function addSums(a: RunSums, b: RunSums): RunSums {
  return {
    done: a.done + b.done,
    outcomes: merged(a.outcomes, b.outcomes, (one, other) => one + other) as RunSums['outcomes'],
    scores: merged(a.scores, b.scores, addSum),
    ...withUnscored(merged(a.unscored ?? {}, b.unscored ?? {}, addUnscored)),
    ...withBuilds(a.builds, b.builds),
  };
}

/** Returns the sum of two counts by build, as the field `builds`; no field if no build is known. */
function withBuilds(
  a: Record<string, number> = {},
  b: Record<string, number> = {},
): Pick<RunSums, 'builds'> {
  const builds = merged(a, b, (one, other) => one + other);
  return Object.keys(builds).length === 0 ? {} : { builds };
}

type ByMetric<T> = Record<string, T>;

/**
 * Returns the number of answers without a score, and the reason of the first, by metric, with
 * another question added.
 *
 * @param reasons Reasons why metrics gave the question no score, by metric.
 */
export function countReasons(
  unscored: ByMetric<UnscoredAnswers> = {},
  reasons: ByMetric<string> = {},
): ByMetric<UnscoredAnswers> {
  const more = mapped(reasons, (example) => ({ questions: 1, example }));
  return merged(unscored, more, addUnscored);
}

/** Returns the counts as the field `unscored`; no field if there are none. */
function withUnscored(unscored: ByMetric<UnscoredAnswers>): Pick<RunSums, 'unscored'> {
  return Object.keys(unscored).length === 0 ? {} : { unscored };
}

/** Returns the sum of two counts, with the example of the first. */
function addUnscored(a: UnscoredAnswers, b: UnscoredAnswers): UnscoredAnswers {
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
