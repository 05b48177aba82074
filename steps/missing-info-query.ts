/** LLatrieval's missing-info query: asks for what the documents lack (LLatrieval 3.2, eq. 6). */
import { UNKNOWN } from '../core/unknown.js';
import { defineStep } from './define.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { searchText } from './outputs/text.js';

export interface MissingInfoQueryInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
  /** A question (table 13), or a pseudo passage that is near to the wanted ones (table 12). */
  style: 'question' | 'passage';
}

const newQuestion = mapped(
  shortAnswer({ label: 'question', form: 'one question that asks for what is missing', words: 80 }),
  (question) => (question === UNKNOWN ? undefined : question),
);

/** Null when the output stayed unreadable. */
export const missingInfoQuery = defineStep<MissingInfoQueryInput, string | null>({
  name: 'missingInfoQuery',
  label: ({ passages, style }) => `a ${style} for what ${passages.length} documents lack`,
  prompt: {
    among: ['missing-info-question', 'missing-info-passage'],
    of: ({ style }) => `missing-info-${style}`,
  },
  maxTokens: 256,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  output: ({ style }) => (style === 'question' ? newQuestion : searchText),
  fallback: () => null,
});
