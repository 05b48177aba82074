/** LLatrieval: the short form of a document that selections show (LLatrieval A.1, after ALCE). */
import { defineStep } from './define.js';
import { mapped } from './outputs/output.js';
import { bareValue } from './outputs/plain.js';
import { text } from './outputs/text.js';

export interface SummarizeDocumentInput {
  question: string;
  /** Id, the only passage shown. */
  passage: string;
}

/** The word that the prompt offers. */
const IRRELEVANT = 'irrelevant';

/**
 * At most 50 words with regard to the question, or "irrelevant"; of a cut output the whole
 * sentences. Null when the output stayed unreadable: the document is then shown in full.
 */
export const summarizeDocument = defineStep<SummarizeDocumentInput, string | null>({
  name: 'summarizeDocument',
  label: ({ passage }) => `passage ${passage}`,
  prompt: 'summarize-document',
  maxTokens: 160,
  passages: ({ passage }) => [passage],
  output: mapped(
    text({ form: 'a summary of at most 50 words, or irrelevant', label: '(?:short )?summary' }),
    (summary) => (bareValue(summary).toLowerCase() === IRRELEVANT ? IRRELEVANT : summary),
  ),
});
