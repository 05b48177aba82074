/** Passages in the order in which they help with a question, by one call (SuRe 4.1, 4.3). */
import { type QuestionInput, readingStep } from './define.js';
import { holding } from './oracles.js';
import { numbersOf } from './outputs/numbers.js';
import { mapped } from './outputs/output.js';

/**
 * Positions of the passages, most helpful first; passages that are not named follow. The order
 * shown when the output stayed unreadable.
 */
export const rankPassages = readingStep<QuestionInput, number[]>({
  name: 'rankPassages',
  label: ({ passages }) => `${passages.length} passages`,
  prompt: 'rank-passages',
  maxTokens: ({ passages }) => Math.max(1024, 8 * passages.length),
  variables: ({ passages }) => ({ count: String(passages.length) }),
  output: ({ passages }) =>
    mapped(
      numbersOf({
        most: passages.length,
        form: 'one line of numbers in the form [2] > [1] > [3]',
        label: 'order|ranking|answer',
      }),
      (named) => (named.length > 0 ? inOrder(named, passages.length) : undefined),
    ),
  fallback: (_, { passages }) => passages.map((_passage, position) => position),
  oracle({ passages }, gold) {
    const first = holding(gold);
    return first.length === 0
      ? undefined
      : inOrder(
          first.map((i) => i + 1),
          passages.length,
        );
  },
});

/** Returns every position from 0 to `count - 1` once: the named ones first. */
function inOrder(named: readonly number[], count: number): number[] {
  const all = Array.from({ length: count }, (_, position) => position);
  const shown = named.map((number) => number - 1).filter((position) => all.includes(position));
  return [...new Set([...shown, ...all])];
}
