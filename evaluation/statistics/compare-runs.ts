/** Compares the scores of runs, on the questions that they have in common. */
import { holm } from './holm.js';
import { type McNemar, mcnemarOf } from './mcnemar.js';
import {
  type PairedDifference,
  pairedPermutation,
  type TestOptions,
} from './paired-permutation.js';

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
  /** Where all scores are 0 or 1. */
  mcnemar?: McNemar;
  /** So few questions in common that no difference is called one, whatever its p. */
  tooFew: boolean;
}

/** With fewer questions one or two of them make a difference that the next ones may undo. */
const ENOUGH = 20;

/** McNemar's p where there is one, else the permutation test's. */
function pOf({ mcnemar, difference }: Comparison): number {
  return mcnemar?.p ?? difference.p;
}

/**
 * Two runs on the same questions.
 *
 * @throws RangeError when they have no question in common.
 */
export function compareRuns(first: Scores, second: Scores, options: TestOptions): Comparison {
  const common = [...first.keys()].filter((id) => second.has(id));
  if (common.length === 0) throw new RangeError('The runs have no question in common.');
  const scoresOf = (run: Scores) => common.map((id) => run.get(id) ?? Number.NaN);
  const [one, other] = [scoresOf(first), scoresOf(second)];
  const binary = [...one, ...other].every((score) => score === 0 || score === 1);
  return {
    questions: common.length,
    leftOut: { first: first.size - common.length, second: second.size - common.length },
    changed: one.filter((score, i) => score !== other[i]).length,
    difference: pairedPermutation(one, other, options),
    ...(binary && { mcnemar: mcnemarOf(one, other) }),
    tooFew: common.length < ENOUGH,
  };
}

/**
 * Several comparisons made together, each with its p-value corrected by Holm: McNemar's where
 * there is one, else the permutation test's.
 */
export function correctTogether<C extends Comparison>(
  comparisons: readonly C[],
): (C & { p: number; corrected: number })[] {
  const pValues = comparisons.map(pOf);
  const corrected = holm(pValues);
  return comparisons.map((comparison, i) => ({
    ...comparison,
    p: pValues[i] ?? 1,
    corrected: corrected[i] ?? 1,
  }));
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
export function nullControl(first: Scores, second: Scores, options: TestOptions): NullControl {
  const comparison = compareRuns(first, second, options);
  return {
    ...comparison,
    churn: comparison.changed / comparison.questions,
    passed: pOf(comparison) >= LEVEL,
  };
}
