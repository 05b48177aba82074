/** Makes answers that cite their passages, for LLatrieval and the methods compared with it. */

import { type Citation, readCitations } from '../../core/citations.js';
import { answered, type Conclusion, unanswered } from '../../core/result.js';
import type { CitedDemonstration } from '../../core/vocabulary.js';
import type { Question } from '../algorithm.js';

/**
 * An answer that cites its passages by number: the answer as read (`reading`), the same without
 * wrong citations (`text`), and its `citations`, each with a number (from 1) and the id of its
 * passage.
 */
export interface CitedAnswer {
  /** The answer as read; null if it could not be read. */
  reading: string | null;
  /** The answer without citations of passages that do not exist. */
  text: string;
  citations: Citation[];
}

/**
 * Asks for an answer that cites the passages by number, in one call. Returns it as read
 * (`reading`, null if it could not be read), without citations of passages that do not exist
 * (`text`, then empty), and its `citations`. Wrong citations are flagged.
 *
 * @param passages Ids; passage [1] is the first.
 * @param form Sentences, or a list of answers.
 */
export async function citedAnswer(
  { question, step, flag }: Question<unknown>,
  passages: string[],
  form: 'prose' | 'list',
  demonstrations: CitedDemonstration[],
): Promise<CitedAnswer> {
  const reading = await step.answerWithCitations({ question, passages, form, demonstrations });
  const { text, numbers, unknown } = readCitations(reading ?? '', passages.length);
  if (unknown.length > 0) {
    const cited = unknown.map((number) => `[${number}]`).join('');
    flag('unknownCitations', 'answerWithCitations', `${cited} of ${passages.length}`);
  }
  const citations = numbers.map((number) => ({ number, passage: passages[number - 1] ?? '' }));
  return { reading, text, citations };
}

/**
 * Returns the conclusion of a method that ends in a cited answer: outcome, answer or null,
 * evidence and chain; it has no field for the citations. The outcome is "unreadable" if the answer
 * could not be read. A text with citations counts as an answer even if it begins like "None of".
 *
 * @param evidence Ids of the passages that were shown.
 */
export function concludeCited<C>(
  { reading, text, citations }: CitedAnswer,
  evidence: string[],
  chain: C,
): Conclusion<C> {
  if (reading === null) return unanswered('unreadable', evidence, chain);
  return citations.length > 0
    ? { outcome: 'answered', answer: text, evidence, chain }
    : answered(text, evidence, chain);
}
