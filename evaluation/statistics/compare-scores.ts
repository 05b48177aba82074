/** Compares the scores of runs, on the questions that they have in common. */
import { holm } from './holm.js';
import {
  differenceInterval,
  type PairedDifference,
  pairedDifference,
} from './paired-difference.js';
import type { Interval } from './score-interval.js';

/** The level that a p is held against. */
export const LEVEL = 0.05;

/** With fewer questions one or two of them make a difference that the next ones may undo. */
export const ENOUGH = 20;

/** Scores of one metric by question id. */
export type Scores = ReadonlyMap<string, number>;

export type Comparison = ReturnType<typeof compareScores>;

/** Two runs on the same questions. @throws RangeError when they have no question in common. */
export function compareScores(first: Scores, second: Scores) {
  const common = [...first.keys()].filter((id) => second.has(id));
  if (common.length === 0) throw new RangeError('The runs have no question in common.');
  const scoresOf = (run: Scores) => common.map((id) => run.get(id) ?? Number.NaN);
  const [one, other] = [scoresOf(first), scoresOf(second)];
  const isBinary = [...one, ...other].every((score) => score === 0 || score === 1);
  const higher = (these: number[], those: number[]) =>
    these.filter((score, i) => score > (those[i] ?? Number.NaN)).length;
  const rightOnly = { first: higher(one, other), second: higher(other, one) };
  return {
    /** Questions that both runs have a score for; only these are compared. */
    questions: common.length,
    /** Questions with a score in one run only. */
    leftOut: { first: first.size - common.length, second: second.size - common.length },
    /** Questions whose score is not the same in both. */
    changed: rightOnly.first + rightOnly.second,
    /** First minus second. */
    difference: pairedDifference(one, other),
    /** Where all scores are 0 or 1: the questions that only one of the runs has right. */
    ...(isBinary && { rightOnly }),
  };
}

export interface Tested {
  p: number;
  /** p corrected by Holm; null where the difference is none of the family. */
  corrected: number | null;
  /** What p is held against. */
  level: number;
  /** The differences that the test does not refuse at that level. */
  difference: Interval;
}

/** Returns what is found of a difference, by families of tests that Holm corrects together. */
export function testedTogether(
  ...families: readonly (readonly PairedDifference[])[]
): (difference: PairedDifference) => Tested {
  const held = new Map(families.flatMap((family) => [...holm(family, LEVEL)]));
  return (difference) => {
    const { corrected = null, level = LEVEL } = held.get(difference) ?? {};
    return {
      ...{ p: difference.p, corrected, level },
      difference: differenceInterval(difference, level),
    };
  };
}

export type NullControl = ReturnType<typeof nullControl>;

/**
 * The same method run twice: what the two differ by is noise. A difference between methods that
 * is no larger says nothing, whatever its p-value.
 */
export function nullControl(first: Scores, second: Scores) {
  const comparison = compareScores(first, second);
  return {
    ...comparison,
    /** Share of the questions whose score changed although nothing else did. */
    churn: comparison.changed / comparison.questions,
    /** No difference is shown, as it must be for one and the same method. */
    passed: comparison.difference.p >= LEVEL,
  };
}
