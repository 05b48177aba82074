/**
 * Helpers for oracles, which find accepted answers in the texts that a step was shown, by the rules
 * of evaluation. Pure.
 */
import { exactMatch, hasAnswer } from '../core/normalize-answer.js';
import type { Gold } from './define.js';

/**
 * Returns the first accepted answer that occurs in a passage or another text that the step was
 * shown; undefined if none does.
 *
 * @param others Other texts that the step was shown.
 */
export function shownAnswer(
  { answers, passages }: Gold,
  others: readonly string[] = [],
): string | undefined {
  const shown = [...passages.map(({ text }) => text), ...others];
  return answers.find((answer) => shown.some((text) => hasAnswer(text, [answer])));
}

/**
 * Returns the result of `make` for the first accepted answer that occurs in a text that the step
 * was shown; undefined if none does.
 *
 * @param others Texts shown in addition to the passages.
 */
export function fromShownAnswer<T>(
  gold: Gold,
  make: (answer: string) => T,
  others?: readonly string[],
): T | undefined {
  const answer = shownAnswer(gold, others);
  return answer === undefined ? undefined : make(answer);
}

/**
 * Returns the positions, from 0 and ascending, of the passages that contain an accepted answer;
 * empty if none does.
 */
export function answerPositions({ answers, passages }: Gold): number[] {
  return passages.flatMap(({ text }, i) => (hasAnswer(text, answers) ? [i] : []));
}

/**
 * Returns whether an answer is accepted by exact match; undefined if no accepted answer is known.
 */
export function isAccepted(answer: string, { answers }: Gold): boolean | undefined {
  return answers.length === 0 ? undefined : exactMatch(answer, answers) === 1;
}

/**
 * Returns whether the passages contain an accepted answer, and if several answers are expected, a
 * form of each; undefined if no accepted answer is known.
 *
 * Source: LLatrieval, section 4.3, table 4: whether the gold answers fully appear.
 */
export function showsAllAnswers({ answers, answerGroups, passages }: Gold): boolean | undefined {
  if (answers.length === 0 && answerGroups === undefined) return undefined;
  return (answerGroups ?? [answers]).every(
    (names) => answerPositions({ answers: names, passages }).length > 0,
  );
}
