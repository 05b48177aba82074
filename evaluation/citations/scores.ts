/** Citation recall, precision and F1, and claim recall, from what a judge has found. Pure. */
import { harmonicMean } from '../metrics/list-answers.js';
import type { StatementVerdict } from './judge.js';

/** What a judge of citations and claims scores. */
export type JudgedMetric = 'citationRecall' | 'citationPrecision' | 'citationF1' | 'claimRecall';

export interface CitationScores {
  /** Share of the statements that are supported by what they cite. */
  recall: number;
  /** Share of the citations that are needed; 0 without citations. */
  precision: number;
  f1: number;
}

/**
 * The citation scores of one answer; undefined when it has no statement (ALCE leaves such a
 * question out of its averages; the score summary counts it as wrong). Over a data set ALCE takes
 * the means of recall and precision, and LLatrieval's citation F1 is `harmonicMean` of those two.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`).
 */
export function citationScores(verdicts: readonly StatementVerdict[]): CitationScores | undefined {
  if (verdicts.length === 0) return undefined;
  const recall = verdicts.filter(({ supported }) => supported).length / verdicts.length;
  const citations = verdicts.flatMap(({ needed }) => needed);
  const precision =
    citations.length === 0 ? 0 : citations.filter(Boolean).length / citations.length;
  return { recall, precision, f1: harmonicMean(precision, recall) };
}

/**
 * Claim recall of one answer: share of the reference claims that it entails.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_claims`).
 *
 * @param entailed For each claim whether the answer, without citations, entails it.
 * @throws RangeError when there is no claim.
 */
export function claimRecall(entailed: readonly boolean[]): number {
  if (entailed.length === 0) throw new RangeError('There is no claim to look for.');
  return entailed.filter(Boolean).length / entailed.length;
}
