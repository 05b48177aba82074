/** The MCQ prompt: an answer from the passages, with candidates as choices (SuRe 4.3, A.7). */
import { answerKey } from '../methods/answer-key.js';
import { parseReading } from './read.js';
import { defineStep } from './step.js';
import { afterAnswerLabel, letter, lettered } from './text.js';

export interface ChooseInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** At least two, at most 26. */
  choices: string[];
}

export interface Choice {
  answer: string;
  /** Position among the choices; null when the answer is none of them. */
  choice: number | null;
}

/** Null when the output stayed unreadable. */
export const choose = defineStep<ChooseInput, Choice | null>({
  prompt: 'choose',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, choices }) => ({ question, choices: lettered(choices, ' ') }),
  parse: ({ text }, { choices }) => parseChoice(text, choices),
  fallback: () => null,
});

/** "(b)", "b)", "[b]", "b.", "option b": a letter that is meant as one, unlike the article "a". */
const MARKER =
  /^(?:[([]\s*([a-z])\s*[)\]]|([a-z])\s*[).:](?!\p{L}\.)|(?:option|choice)\s+([a-z])\b)/iu;
const BRACKETED = /\(\s*([a-z])\s*\)/gi;

/**
 * Reads which choice was taken, by its words or its letter. Where they disagree the words win: they
 * are what is compared with the right answer.
 *
 * @returns an answer that is none of the choices as it stands; undefined for an empty output, and
 * for one that lists several letters without taking one.
 */
export function parseChoice(text: string, choices: readonly string[]): Choice | undefined {
  const line = parseReading(afterAnswerLabel(text.replace(/\*\*|__|`/g, '')));
  if (line === undefined) return undefined;
  const whole = byWords(line, choices) ?? byLetter(/^([a-z])$/i.exec(line)?.[1], choices);
  if (whole) return whole;

  const marker = MARKER.exec(line);
  const named = new Set([...line.matchAll(BRACKETED)].map(([, name = '']) => name.toLowerCase()));
  if (named.size > 1) return undefined;
  const rest = marker ? line.slice(marker[0].length) : line;
  return (
    byWords(rest, choices) ??
    byLetter(marker?.slice(1).find((name) => name !== undefined) ?? [...named][0], choices) ??
    byWords(onlyMentioned(line, choices), choices) ?? { answer: line, choice: null }
  );
}

function byWords(words: string | undefined, choices: readonly string[]): Choice | undefined {
  if (words === undefined) return undefined;
  return at(
    choices.findIndex((choice) => answerKey(choice) === answerKey(words)),
    choices,
  );
}

function byLetter(name: string | undefined, choices: readonly string[]): Choice | undefined {
  return at(
    choices.findIndex((_, k) => letter(k) === name?.toLowerCase()),
    choices,
  );
}

function at(position: number, choices: readonly string[]): Choice | undefined {
  const answer = choices[position];
  return answer === undefined ? undefined : { answer, choice: position };
}

/** The one choice whose words stand in the line. */
function onlyMentioned(line: string, choices: readonly string[]): string | undefined {
  const words = ` ${answerKey(line)} `;
  const mentioned = choices.filter((choice) => words.includes(` ${answerKey(choice)} `));
  return mentioned.length === 1 ? mentioned[0] : undefined;
}
