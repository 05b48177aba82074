import type { DatasetRecord } from '../core/dataset-record.js';

type Reference = Pick<DatasetRecord, 'answers' | 'answerGroups' | 'longAnswers' | 'claims'>;

/**
 * Returns the accepted answers, with the names of each answer group joined by " / ". Without any,
 * returns the reference texts or claims; empty if there are none.
 */
export function goldAnswers({ answers, answerGroups, longAnswers, claims }: Reference): string[] {
  if (answerGroups) return answerGroups.map((names) => names.join(' / '));
  return answers.length > 0 ? answers : (longAnswers ?? claims ?? []);
}
