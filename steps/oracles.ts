/**
 * The common part of perfect readers: they know the accepted answers by the rules of evaluation,
 * and find them only in what their step was shown. Pure.
 */
import { exactMatch, hasAnswer } from '../core/normalize-answer.js';
import type { Gold } from './define.js';

/**
 * Returns the first accepted answer contained in the passages or other texts shown; undefined if
 * there is none.
 */
export function shownAnswer(
  { answers, passages }: Gold,
  others: readonly string[] = [],
): string | undefined {
  const shown = [...passages.map(({ text }) => text), ...others];
  return answers.find((answer) => shown.some((text) => hasAnswer(text, [answer])));
}

/** Returns the value made from that answer; undefined if none was shown. */
export function ifShown<T>(
  gold: Gold,
  make: (answer: string) => T,
  others?: readonly string[],
): T | undefined {
  const answer = shownAnswer(gold, others);
  return answer === undefined ? undefined : make(answer);
}

/** Returns the positions of the shown passages that contain an accepted answer. */
export function answerPositions({ answers, passages }: Gold): number[] {
  return passages.flatMap(({ text }, i) => (hasAnswer(text, answers) ? [i] : []));
}

/** Tells whether an answer is accepted; undefined if no accepted answer is known. */
export function isAccepted(answer: string, { answers }: Gold): boolean | undefined {
  return answers.length === 0 ? undefined : exactMatch(answer, answers) === 1;
}

/**
 * Tells whether the shown passages contain an accepted answer, of several things to say one of each;
 * undefined if none is known.
 *
 * Source: LLatrieval, section 4.3, table 4: whether the gold answers fully appear.
 */
export function suffices({ answers, answerGroups, passages }: Gold): boolean | undefined {
  if (answers.length === 0 && answerGroups === undefined) return undefined;
  return (answerGroups ?? [answers]).every(
    (names) => answerPositions({ answers: names, passages }).length > 0,
  );
}
