import { implementStep, type ModelOutput } from '../define.js';
import { readNumbers } from '../reading/numbers.js';
import type * as declared from './step.js';

export const rankPassages = implementStep<typeof declared.rankPassages>({
  prompt: 'rank-passages',
  maxTokens: ({ passages }) => Math.max(1024, 8 * passages.length),
  passages: (input) => input.passages,
  variables: ({ question, passages }) => ({ question, count: String(passages.length) }),
  parse: (output, { passages }) => parseRanking(output, passages.length),
  fallback: ({ text }, { passages }) =>
    parseRanking({ text: `${text} `, cut: false }, passages.length) ??
    passages.map((_, position) => position),
});

/**
 * Reads "[2] > [1] > [3]" and what models make of it. Numbers that are no passage's, and repeated
 * ones, are left out; passages that were not named come after the others, as they were shown.
 *
 * @returns every position from 0 to `count - 1` once; undefined when no passage is named, and for
 * an order that was cut before it named all.
 */
export function parseRanking(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  count: number,
): number[] | undefined {
  const read = readNumbers(output, { most: count });
  const named = [...new Set(read?.numbers)].filter((n) => n >= 1 && n <= count).map((n) => n - 1);
  if (named.length === 0 || (!read?.whole && named.length < count)) return undefined;
  const others = Array.from({ length: count }, (_, k) => k).filter((k) => !named.includes(k));
  return [...named, ...others];
}
