/** ALLIES, Score: how probable it is that an answer is true (section 4.4, appendix C.5). */
import type { QueryEvidence } from '../methods/vocabulary.js';
import { renderEvidence } from './evidence.js';
import { defineStep, type ModelOutput } from './step.js';

export interface ScoreAnswerInput {
  question: string;
  /** Oldest first; none for a score from what the model knows. */
  history: QueryEvidence[];
  answer: string;
}

/** From 0 to 1; null when the output stayed unreadable. */
export const scoreAnswer = defineStep<ScoreAnswerInput, number | null>({
  prompt: 'score-answer',
  maxTokens: 32,
  variables: ({ question, history, answer }) => ({
    question,
    answer,
    evidence: renderEvidence(history),
  }),
  parse: (output) => parseScore(output),
  fallback: () => null,
});

const NUMBER = String.raw`(?<![\p{L}\p{N}.,-])(\d+(?:[.,]\d+)?|\.\d+)(?![\p{L}\p{N}])(?:\s*(%|percent|\/\s*\d+|out of \d+))?`;
const LABEL = String.raw`(?:score|rating|probability|confidence|likelihood|estimate)[^\d.\n]{0,60}?(?:\bis\b|\bof\b|\bat\b|\bas\b|\bbe\b|:|=)\s*(?:about|around|approximately|roughly|~)?\s*`;
const ALONE = new RegExp(`^(?:${LABEL})?${NUMBER}[.,;]*$`, 'iu');
/** A number at the start, unless it counts the items of a list: "1. The answer is ..." */
const OPENING = new RegExp(`^(?!\\d+[.)]\\s)${NUMBER}`, 'iu');
const LABELLED = new RegExp(LABEL + NUMBER, 'giu');
const ANY = new RegExp(NUMBER, 'giu');
/** A band and not a number, or the number that it is not. */
const NOT_THE_SCORE =
  /\bbetween\s+[\d.]+\s+and\s+[\d.]+|[\d.]+\s*(?:-|–|to)\s*[\d.]+|\b(?:not|than|below|above|under|over)\s+[\d.]*\d/giu;

/**
 * Reads a number from 0 to `most`; "80%" and "8/10" as well.
 *
 * @returns undefined when there is none, more than one with nothing to tell them apart, or the
 * output was stopped in the middle of the number.
 */
export function parseScore({ text, cut }: ModelOutput, most = 1): number | undefined {
  const plain = text.replace(/[*_`"'“”()[\]]/g, ' ').trim();
  if (cut && /[\d.,]$/.test(plain)) return undefined;
  const whole = ALONE.exec(plain);
  if (whole) return inRange(whole, most);
  const clear = plain.replace(NOT_THE_SCORE, ' ').trim();
  const found = OPENING.exec(clear) ?? [...clear.matchAll(LABELLED)].at(-1);
  if (found) return inRange(found, most);
  const numbers = new Set([...clear.matchAll(ANY)].flatMap((match) => inRange(match, most) ?? []));
  return numbers.size === 1 ? [...numbers][0] : undefined;
}

function inRange([, digits = '', unit = '']: RegExpMatchArray, most: number): number | undefined {
  const scale = unit === '' ? most : Number(/\d+/.exec(unit)?.[0] ?? 100);
  const score = (Number(digits.replace(',', '.')) * most) / scale;
  return score >= 0 && score <= most ? score : undefined;
}
