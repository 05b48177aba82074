import { implementStep, type ModelOutput } from '../define.js';
import { afterFinalLabel } from '../reading/label.js';
import { readNumbers } from '../reading/numbers.js';
import { bareText } from '../reading/plain.js';
import type * as declared from './step.js';

export const selectDocuments = implementStep<typeof declared.selectDocuments>({
  prompt: 'select-documents',
  maxTokens: ({ count }) => Math.max(64, 8 * count),
  passages: ({ documents }) => documents,
  variables: ({ question, count }) => ({
    question,
    count: String(count),
    form: `Selected passages:${' #'.repeat(count)}`,
  }),
  parse(output, { documents, count }) {
    const named = parseSelection(output, { shown: documents.length, count });
    // A reply of which no number fits says nothing; one that says "none" does.
    return named?.length === 0 || named?.some((number) => number > 0 && number <= documents.length)
      ? named
      : undefined;
  },
  fallback: () => [],
});

const NONE =
  /^\W*(?:(?:there (?:is|are) )?(?:none|no (?:passage|document|relevant)s?)\b|(?:all|both) (?:of )?(?:the(?:se)? )?(?:passages|documents) are (?:irrelevant|unrelated|not relevant)\b)/i;

/**
 * Reads the numbers of the chosen documents: on one line or as a list, ranges included, without
 * those that stand in the reasons for the choice.
 *
 * @param shown how many documents there are to choose from.
 * @returns none where the model says so; undefined when no number can be read, and for a list that
 * was cut before it named as many as were to be chosen.
 */
export function parseSelection(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  { shown, count }: { shown: number; count: number },
): number[] | undefined {
  const read = readNumbers(output, { most: shown, choice: true });
  if (read) return read.whole || read.numbers.length >= count ? read.numbers : undefined;
  const reply = afterFinalLabel(bareText(output.text), 'selected (?:passage|document)s?|answer');
  return !output.cut && NONE.test(reply) ? [] : undefined;
}
