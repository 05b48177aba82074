/** Compares the scores of runs, on the questions that they have in common. */
import type { BootstrapOptions } from './bootstrap.js';
import { holm } from './holm.js';
import { type McNemar, mcnemarOf } from './mcnemar.js';
import { type PairedDifference, pairedBootstrap } from './paired-bootstrap.js';

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
}

/**
 * Two runs on the same questions.
 *
 * @throws RangeError when they have no question in common.
 */
export function compareRuns(first: Scores, second: Scores, options: BootstrapOptions): Comparison {
  const common = [...first.keys()].filter((id) => second.has(id));
  if (common.length === 0) throw new RangeError('The runs have no question in common.');
  const scoresOf = (run: Scores) => common.map((id) => run.get(id) ?? Number.NaN);
  const [one, other] = [scoresOf(first), scoresOf(second)];
  const binary = [...one, ...other].every((score) => score === 0 || score === 1);
  return {
    questions: common.length,
    leftOut: { first: first.size - common.length, second: second.size - common.length },
    changed: one.filter((score, i) => score !== other[i]).length,
    difference: pairedBootstrap(one, other, options),
    ...(binary && { mcnemar: mcnemarOf(one, other) }),
  };
}

/**
 * Several comparisons made together, each with its p-value corrected by Holm: McNemar's where
 * there is one, else the paired bootstrap's.
 */
export function correctTogether<C extends Comparison>(
  comparisons: readonly C[],
): (C & { p: number; corrected: number })[] {
  const pValues = comparisons.map(({ mcnemar, difference }) => mcnemar?.p ?? difference.p);
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
  /** The interval of the difference holds 0, as it must for one and the same method. */
  passed: boolean;
}

/**
 * The same method run twice: what the two differ by is noise. A difference between methods that
 * is no larger says nothing, whatever its p-value.
 */
export function nullControl(first: Scores, second: Scores, options: BootstrapOptions): NullControl {
  const comparison = compareRuns(first, second, options);
  const { low, high } = comparison.difference;
  return {
    ...comparison,
    churn: comparison.changed / comparison.questions,
    passed: low <= 0 && high >= 0,
  };
}
