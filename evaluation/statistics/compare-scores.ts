/** Compares two lists of scores on the same questions. Pure. */
import type { RatioPart } from '../../core/metric.js';
import { holm } from './holm.js';
import {
  differenceInterval,
  LEVEL,
  type PairedDifference,
  pairedDifference,
} from './paired-difference.js';
import { clusteredParts, type Interval } from './score-interval.js';

/** Smallest number of questions, or of clusters, from which anything is concluded. */
export const MIN_QUESTIONS = 20;

/** Scores of one metric, usually from 0 to 1, by question id. */
export type Scores = ReadonlyMap<string, number>;

/**
 * The paired comparison of two maps of scores, as `compareScores` returns it: the mean
 * `difference` with its p-value, and numbers of `questions`, of `draws`, of those `changed` and of
 * those `leftOut`.
 */
export type ComparedScores = ReturnType<typeof compareScores>;

/**
 * Options of a paired comparison: the weights and clusters of questions, and those to leave out.
 */
interface CompareOptions {
  /** Weights of the questions in the mean, by question id. @default 1 */
  wholes?: Scores | undefined;
  /** Ids of questions to leave out. */
  without?: ReadonlySet<string> | undefined;
  /**
   * Cluster by question id; all questions of a cluster are one draw. Undefined if each is its own.
   */
  clusters?: ReadonlyMap<string, string> | undefined;
  /** Mean difference of the null hypothesis. @default 0 */
  tested?: number | undefined;
}

/**
 * Compares two maps of scores by question id over the questions that both have. Returns
 * `difference`, with the mean of first minus second, from -1 to 1, and its two-sided p-value
 * (`p`), the number of `questions`, of independent `draws` (clusters, if given), and of questions
 * whose scores differ (`changed`). `leftOut` has the numbers of questions with a score in the
 * `first` or the `second` only, `rightOnly` those that only one has right (absent unless all
 * scores are 0 or 1).
 *
 * @throws RangeError if there is no such question.
 */
export function compareScores(
  first: Scores,
  second: Scores,
  { wholes, without, clusters, tested }: CompareOptions = {},
) {
  const taken = (scores: Scores) => [...scores.keys()].filter((id) => !without?.has(id));
  const ids = taken(first).filter((id) => second.has(id));
  if (ids.length === 0) throw new RangeError('The runs have no question in common.');
  const scoresOf = (run: Scores) => ids.map((id) => run.get(id) ?? Number.NaN);
  const [one, other] = [scoresOf(first), scoresOf(second)];
  const parts = ids.map((id, i): RatioPart => {
    const whole = wholes?.get(id) ?? 1;
    return { part: whole * ((one[i] ?? Number.NaN) - (other[i] ?? Number.NaN)), whole };
  });
  const draws = clusteredParts(
    ids.map((id, i) => [id, parts[i] as RatioPart]),
    clusters,
  );
  const isBinary = [...one, ...other].every((score) => score === 0 || score === 1);
  const rightOnly = {
    first: parts.filter(({ part }) => part > 0).length,
    second: parts.filter(({ part }) => part < 0).length,
  };
  return {
    /** Questions that both have a score for; only these are compared. */
    questions: ids.length,
    /** Number of independent draws: the clusters, or without them the questions. */
    draws: draws.length,
    /** Number of questions with a score in one of the two only. */
    leftOut: {
      first: taken(first).length - ids.length,
      second: taken(second).length - ids.length,
    },
    /** Number of questions whose scores differ. */
    changed: rightOnly.first + rightOnly.second,
    /** First minus second. */
    difference: pairedDifference(draws, tested, clusters && draws.length - 1),
    /** Number of questions that only one of the two has right; undefined unless all scores are 0 or 1. */
    ...(isBinary && { rightOnly }),
  };
}

/**
 * The result of testing one difference of a family of tests: its p-value, also corrected, and its
 * interval.
 */
export interface TestResult {
  /** The p-value, uncorrected. */
  p: number;
  /**
   * The p-value corrected by Holm, to be compared with 0.05; null if the difference is not in the
   * family.
   */
  corrected: number | null;
  /** Significance level with which the uncorrected p-value is compared. */
  level: number;
  /** Mean difference, with the interval of those that the test does not reject at `level`. */
  difference: Interval;
}

/**
 * Tests a family of differences together, with Holm's correction at level 0.05. Returns a function
 * from a difference to its result; for a difference that is not in the family `corrected` is null.
 *
 * @param missing Number of further tests in the family whose p-values are unknown.
 */
export function testFamily(
  family: readonly PairedDifference[],
  missing = 0,
): (difference: PairedDifference) => TestResult {
  const held = holm(family, LEVEL, missing);
  // All intervals of a list have the same level, including those of tests outside of the family.
  const [{ level } = { level: LEVEL }] = held.values();
  return (difference) => {
    const { corrected = null } = held.get(difference) ?? {};
    return {
      p: difference.p,
      corrected,
      level,
      difference: differenceInterval(difference, level),
    };
  };
}
