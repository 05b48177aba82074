/** LLatrieval's missing-info query: asks for what the documents lack (LLatrieval 3.2, eq. 6). */
import { UNKNOWN } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { searchText } from './outputs/text.js';

export interface MissingInfoQueryInput extends QuestionInput {
  /** A question (table 13), or a pseudo passage that is near to the wanted ones (table 12). */
  style: 'question' | 'passage';
}

const newQuestion = mapped(
  shortAnswer({ label: 'question', form: 'one question that asks for what is missing', words: 80 }),
  (question) => (question === UNKNOWN ? undefined : question),
);

export const missingInfoQuery = readingStep<MissingInfoQueryInput, string | null>({
  name: 'missingInfoQuery',
  label: ({ passages, style }) => `a ${style} for what ${passages.length} documents lack`,
  prompt: {
    among: ['missing-info-question', 'missing-info-passage'],
    of: ({ style }) => `missing-info-${style}`,
  },
  maxTokens: 256,
  output: ({ style }) => (style === 'question' ? newQuestion : searchText),
});
