/**
 * What perfect readers have in common: they know the accepted answers by the rules of evaluation,
 * and find them only in what their step was shown. Pure.
 */
import { exactMatch } from '../core/exact-match.js';
import { hasAnswer } from '../core/has-answer.js';
import type { Gold } from './define.js';

/** Returns the first accepted answer that the passages shown hold, or the other texts shown. */
export function shownAnswer(
  { answers, passages }: Gold,
  others: readonly string[] = [],
): string | undefined {
  const shown = [...passages.map(({ text }) => text), ...others];
  return answers.find((answer) => shown.some((text) => hasAnswer(text, [answer])));
}

/** Returns what is made of that answer; undefined where none was shown. */
export function ifShown<T>(
  gold: Gold,
  make: (answer: string) => T,
  others?: readonly string[],
): T | undefined {
  const answer = shownAnswer(gold, others);
  return answer === undefined ? undefined : make(answer);
}

/** Returns the positions of the passages shown that hold an accepted answer. */
export function answerPositions({ answers, passages }: Gold): number[] {
  return passages.flatMap(({ text }, i) => (hasAnswer(text, answers) ? [i] : []));
}

/** Tells whether an answer is an accepted one; undefined where none is known. */
export function isAccepted(answer: string, { answers }: Gold): boolean | undefined {
  return answers.length === 0 ? undefined : exactMatch(answer, answers) === 1;
}

/** Tells whether the passages shown hold an accepted answer; undefined where none is known. */
export function suffices(gold: Gold): boolean | undefined {
  return gold.answers.length === 0 ? undefined : answerPositions(gold).length > 0;
}
