/** LLatrieval's progressive selection: k of the documents shown (LLatrieval 3.2, table 11). */
import type { Passage } from '../../methods/vocabulary.js';
import { afterFinalLabel } from '../reading/label.js';
import { readNumbers } from '../reading/numbers.js';
import { bareText } from '../reading/plain.js';
import { defineStep, type ModelOutput } from './step.js';

export interface SelectDocumentsInput {
  question: string;
  /** k, how many to choose. */
  count: number;
  /** The supporting documents first, then the candidates; an id stands for the full text. */
  documents: (string | Passage)[];
  /** Which selection of which iteration this is, from 1. */
  iteration: number;
  selection: number;
}

/**
 * The numbers of the documents chosen, from 1, as the model named them: some may repeat, or be of
 * no document. None when the output stayed unreadable.
 */
export const selectDocuments = defineStep<SelectDocumentsInput, number[]>({
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

const NONE = /^\W*(?:none|no (?:passage|document|relevant))\b/i;

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
  const read = readNumbers(output, { most: shown, ranges: true });
  if (read) return read.whole || read.numbers.length >= count ? read.numbers : undefined;
  const reply = afterFinalLabel(bareText(output.text), 'selected (?:passage|document)s?|answer');
  return !output.cut && NONE.test(reply) ? [] : undefined;
}
