/** Passages in the order in which they help with a question, by one call (SuRe 4.1, 4.3). */
import { defineStep } from './step.js';

export interface RankPassagesInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Positions of the passages, most helpful first; as shown when the output stayed unreadable. */
export const rankPassages = defineStep<RankPassagesInput, number[]>({
  prompt: 'rank-passages',
  maxTokens: 1024,
  passages: (input) => input.passages,
  variables: ({ question, passages }) => ({ question, count: String(passages.length) }),
  parse: ({ text }, { passages }) => parseRanking(text, passages.length),
  fallback: (_, { passages }) => passages.map((_, position) => position),
});

/**
 * Reads "[2] > [1] > [3]" and what models make of it. Numbers that are no passage's, and repeated
 * ones, are left out; passages that were not named come after the others, as they were shown.
 *
 * @returns every position from 0 to `count - 1` once; undefined when no passage is named.
 */
export function parseRanking(text: string, count: number): number[] | undefined {
  const bracketed = numbers(text, /\[\s*(\d+)\s*\]/g);
  const found = bracketed.length > 0 ? bracketed : numbers(text, /(?<![\d.])(\d+)(?![\d.]*\d)/g);
  const named = [...new Set(found)].filter((n) => n >= 1 && n <= count).map((n) => n - 1);
  if (named.length === 0) return undefined;
  const others = Array.from({ length: count }, (_, k) => k).filter((k) => !named.includes(k));
  return [...named, ...others];
}

function numbers(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
}
