/** Reads the answers of a question that count as right. Pure. */
import type { DatasetRecord } from '../core/dataset-record.js';

type Reference = Pick<DatasetRecord, 'answers' | 'answerGroups' | 'longAnswers' | 'claims'>;

/**
 * Returns the accepted answers of a question for display. If it has answer groups, there is one
 * text for each group, with its names joined by " / ". If it has no short answers, returns its
 * reference texts or, failing these, its claims; empty if there are none.
 */
export function goldAnswers({ answers, answerGroups, longAnswers, claims }: Reference): string[] {
  if (answerGroups) return answerGroups.map((names) => names.join(' / '));
  return answers.length > 0 ? answers : (longAnswers ?? claims ?? []);
}
