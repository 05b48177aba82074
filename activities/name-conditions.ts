/** The parts of a question that an answer must fit, to be masked (SuRe 4.1, Weng et al. 2022). */
import { distinctAnswers } from '../methods/answer-key.js';
import { conditionPattern } from '../methods/baselines/verification.js';
import { defineStep } from './step.js';
import { cleanAnswer } from './text.js';

export interface NameConditionsInput {
  question: string;
  /** How many, at most. */
  count: number;
}

/** None when the output stayed unreadable: the samples alone decide then. */
export const nameConditions = defineStep<NameConditionsInput, string[]>({
  prompt: 'name-conditions',
  maxTokens: 128,
  variables: ({ question, count }) => ({ question, count: String(count) }),
  parse: ({ text }, { question, count }) => parseConditions(text, question, count),
  fallback: () => [],
});

const BULLET = /^\s*(?:[-*•]|\(?[\da-z][).])\s+/i;
const QUESTION_WORD =
  /^(?:who|whom|whose|what|which|when|where|why|how|how (?:many|much|long|often))$/i;

/**
 * Reads one part a line, as it stands in the question. What does not stand in it, is the whole of
 * it, or is its question word is left out.
 *
 * @returns at most `count` different parts; undefined when there is none.
 */
export function parseConditions(
  text: string,
  question: string,
  count: number,
): string[] | undefined {
  const lines = text.trim().split('\n');
  const items = lines.length === 1 ? text.split(/[,;|]/) : lines;
  const found = items.flatMap(
    (item) => standsIn(cleanAnswer(item.replace(BULLET, '')), question) ?? [],
  );
  const parts = distinctAnswers(found).slice(0, count);
  return parts.length > 0 ? parts : undefined;
}

/** The part in the question's own letter case, from word border to word border. */
function standsIn(part: string, question: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(part) || QUESTION_WORD.test(part)) return undefined;
  const [words] = question.match(conditionPattern(part)) ?? [];
  const around = question.replace(conditionPattern(part), '');
  return /[\p{L}\p{N}]/u.test(around) ? words : undefined;
}
