import type { DatasetRecord } from '../core/dataset-record.js';

type Reference = Pick<DatasetRecord, 'answers' | 'answerGroups' | 'longAnswers' | 'claims'>;

/** Returns the accepted answers, or what a long answer should say. */
export function goldAnswers({ answers, answerGroups, longAnswers, claims }: Reference): string[] {
  if (answerGroups) return answerGroups.map((names) => names.join(' / '));
  return answers.length > 0 ? answers : (longAnswers ?? claims ?? []);
}
