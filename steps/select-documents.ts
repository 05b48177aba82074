/** LLatrieval's progressive selection: k of the documents shown (LLatrieval 3.2, table 11). */
import type { Passage } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { holding } from './oracles.js';
import { numbersOf } from './outputs/numbers.js';

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
  name: 'selectDocuments',
  label: ({ count, documents, iteration, selection }) =>
    `iteration ${iteration}, selection ${selection}: ${count} of ${documents.length}`,
  prompt: 'select-documents',
  maxTokens: ({ count }) => Math.max(64, 8 * count),
  passages: ({ documents }) => documents,
  variables: ({ count }) => ({ form: formOf(count) }),
  output: ({ documents, count }) =>
    numbersOf({
      most: documents.length,
      form: `one line in the form ${formOf(count)}`,
      label: '(?:passages|documents|answer)',
    }),
  fallback: () => [],
  oracle({ count }, gold) {
    const chosen = holding(gold).map((i) => i + 1);
    return chosen.length === 0 ? undefined : chosen.slice(0, count);
  },
});

function formOf(count: number): string {
  return `Selected passages:${' #'.repeat(count)}`;
}
