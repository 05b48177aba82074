/** Compares the scores of runs, on the questions that they have in common. */
import { type PairedDifference, pairedDifference } from './paired-difference.js';

/** The level that a p is held against. */
export const LEVEL = 0.05;

/** Scores of one metric by question id. */
export type Scores = ReadonlyMap<string, number>;

export interface Comparison {
  /** Questions that both runs have a score for; only these are compared. */
  questions: number;
  /** Questions with a score in one run only. */
  leftOut: { first: number; second: number };
  /** Questions whose score is not the same in both. */
  changed: number;
  /** First minus second. */
  difference: PairedDifference;
  /** Where all scores are 0 or 1: the questions that only one of the runs has right. */
  rightOnly?: { first: number; second: number };
}

/** Two runs on the same questions. @throws RangeError when they have no question in common. */
export function compareScores(first: Scores, second: Scores): Comparison {
  const common = [...first.keys()].filter((id) => second.has(id));
  if (common.length === 0) throw new RangeError('The runs have no question in common.');
  const scoresOf = (run: Scores) => common.map((id) => run.get(id) ?? Number.NaN);
  const [one, other] = [scoresOf(first), scoresOf(second)];
  const isBinary = [...one, ...other].every((score) => score === 0 || score === 1);
  const higher = (these: number[], those: number[]) =>
    these.filter((score, i) => score > (those[i] ?? Number.NaN)).length;
  const rightOnly = { first: higher(one, other), second: higher(other, one) };
  return {
    questions: common.length,
    leftOut: { first: first.size - common.length, second: second.size - common.length },
    changed: rightOnly.first + rightOnly.second,
    difference: pairedDifference(one, other),
    ...(isBinary && { rightOnly }),
  };
}

export interface NullControl extends Comparison {
  /** Share of the questions whose score changed although nothing else did. */
  churn: number;
  /** No difference is shown, as it must be for one and the same method. */
  passed: boolean;
}

/**
 * The same method run twice: what the two differ by is noise. A difference between methods that
 * is no larger says nothing, whatever its p-value.
 */
export function nullControl(first: Scores, second: Scores): NullControl {
  const comparison = compareScores(first, second);
  return {
    ...comparison,
    churn: comparison.changed / comparison.questions,
    passed: comparison.difference.p >= LEVEL,
  };
}
