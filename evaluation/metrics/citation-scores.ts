/** Citation recall, precision and F1, and claim recall, from a judge's verdicts. */
import type { ClaimVerdict, StatementVerdict } from '../../core/metric.js';
import { harmonicMean } from './list-answers.js';

/**
 * Returns the share of statements that are supported by what they cite. An answer without a
 * statement has 0, like a missing answer (ALCE leaves such a question out of its averages).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`), also for the next one.
 */
export function citationRecall(statements: readonly StatementVerdict[]): number {
  return share(statements.map(({ supported }) => supported));
}

/** Share of the citations that are needed; 0 without citations. */
export function citationPrecision(statements: readonly StatementVerdict[]): number {
  return share(statements.flatMap(({ needed }) => needed));
}

/**
 * F1 of an answer's citation recall and precision. Over a data set ALCE takes the means of recall
 * and precision, and LLatrieval's citation F1 is `harmonicMean` of those two.
 */
export function citationF1(statements: readonly StatementVerdict[]): number {
  return harmonicMean(citationPrecision(statements), citationRecall(statements));
}

/**
 * Share of the reference claims that an answer, without its citations, entails.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_claims`).
 */
export function claimRecall(claims: readonly ClaimVerdict[]): number {
  return share(claims.map(({ entailed }) => entailed));
}

function share(found: readonly boolean[]): number {
  return found.length === 0 ? 0 : found.filter(Boolean).length / found.length;
}
