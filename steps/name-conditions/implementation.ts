import { distinctAnswers } from '../../methods/answer-key.js';
import { implementStep, inParts, type ModelOutput } from '../define.js';
import { readList } from '../reading/list.js';
import { bareText, withoutItemMark } from '../reading/plain.js';
import { cleanAnswer } from '../reading/text.js';
import { conditionPattern } from './condition-pattern.js';
import type * as declared from './step.js';

export const nameConditions = implementStep<typeof declared.nameConditions>({
  prompt: 'name-conditions',
  maxTokens: 128,
  variables: ({ question, count }) => ({ question, count: String(count) }),
  parse: (output, { question, count }) => parseConditions(output, question, count),
  fallback: () => [],
  costliest: (longest, { count }) => inParts(longest, count),
});

const QUESTION_WORD =
  /^(?:who|whom|whose|what|which|when|where|why|how|how (?:many|much|long|often))$/i;

/**
 * Reads one part a line, as it stands in the question. What does not stand in it, is the whole of
 * it, or is its question word is left out.
 *
 * @returns at most `count` different parts; undefined when there is none.
 */
export function parseConditions(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question: string,
  count: number,
): string[] | undefined {
  const found = itemsOf(output).flatMap((item) => standsIn(cleanAnswer(item), question) ?? []);
  const parts = distinctAnswers(found).slice(0, count);
  return parts.length > 0 ? parts : undefined;
}

/** Lines, however they are marked; else what commas part. The last of a cut list is half one. */
function itemsOf(output: Pick<ModelOutput, 'text' | 'cut'>): string[] {
  const plain = bareText(output.text);
  const list = readList(output);
  if (list?.form === 'json' || (list && !plain.includes('\n'))) return list.items;
  const items = plain.split(plain.includes('\n') ? '\n' : /[,;|]/);
  return (output.cut ? items.slice(0, -1) : items).map(withoutItemMark);
}

/** The part in the question's own letter case, from word border to word border. */
function standsIn(part: string, question: string): string | undefined {
  // A longer one is no part of it, and might be too long for a pattern.
  if (part.length > question.length) return undefined;
  if (!/[\p{L}\p{N}]/u.test(part) || QUESTION_WORD.test(part)) return undefined;
  const [words] = question.match(conditionPattern(part)) ?? [];
  const around = question.replace(conditionPattern(part), '');
  return /[\p{L}\p{N}]/u.test(around) ? words : undefined;
}
