/** Compares the scores of two that were asked the same questions. */
import type { RatioPart } from '../../core/metric.js';
import { holm } from './holm.js';
import {
  differenceInterval,
  LEVEL,
  type PairedDifference,
  pairedDifference,
} from './paired-difference.js';
import { clusteredParts, type Interval } from './score-interval.js';

/**
 * Least questions for a conclusion; with fewer, one or two of them make a difference that others
 * may undo.
 */
export const ENOUGH = 20;

/** The scores of one metric, by question id. */
export type Scores = ReadonlyMap<string, number>;

/** The result of a paired comparison of scores: see `compareScores`. */
export type ComparedScores = ReturnType<typeof compareScores>;

/** Which questions a paired comparison of scores counts, and with which weights. */
export interface CompareOptions {
  /** Weights of questions in the mean. @default 1 */
  wholes?: Scores | undefined;
  /** Questions that take no part. */
  without?: ReadonlySet<string> | undefined;
  /** The cluster of each question, by id: see `clusteredParts`. */
  clusters?: ReadonlyMap<string, string> | undefined;
  /** The mean difference that p speaks of. @default 0 */
  tested?: number | undefined;
}

/** Two runs on the same questions. @throws RangeError when they have no question in common. */
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
    /** Draws that the difference is the mean of: the clusters, or the questions. */
    draws: draws.length,
    /** Questions with a score in one of the two only. */
    leftOut: {
      first: taken(first).length - ids.length,
      second: taken(second).length - ids.length,
    },
    /** Questions whose score is not the same in both. */
    changed: rightOnly.first + rightOnly.second,
    /** First minus second. */
    difference: pairedDifference(draws, tested, clusters && draws.length - 1),
    /** Questions that only one of the two has right; only if all scores are 0 or 1. */
    ...(isBinary && { rightOnly }),
  };
}

/** The result of a test of a difference, one of a family of tests. */
export interface Tested {
  /** The p-value, uncorrected. */
  p: number;
  /** p corrected by Holm; null if the difference is none of the family. */
  corrected: number | null;
  /** Level that p is compared with. */
  level: number;
  /** The differences that the test does not refuse at that level. */
  difference: Interval;
}

/**
 * Returns the result of each difference of a family, corrected by Holm.
 *
 * @param missing Tests of the same family whose p is unknown.
 */
export function testedTogether(
  family: readonly PairedDifference[],
  missing = 0,
): (difference: PairedDifference) => Tested {
  const held = holm(family, LEVEL, missing);
  // Intervals of one list have one level, those too from which nothing is concluded.
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
