/** LLatrieval: the short form of a document that selections show (LLatrieval A.1, after ALCE). */
import { wholeSentences } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { defineStep } from './step.js';

export interface SummarizeDocumentInput {
  question: string;
  /** Id, the only passage shown. */
  passage: string;
}

/**
 * At most 50 words with regard to the question, or "irrelevant"; of a cut output the whole
 * sentences. Null when the output stayed unreadable: the document is then shown in full.
 */
export const summarizeDocument = defineStep<SummarizeDocumentInput, string | null>({
  prompt: 'summarize-document',
  maxTokens: 160,
  passages: ({ passage }) => [passage],
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseShortForm(wholeSentences(output), question),
  fallback: () => null,
});

const HEADING = /^(?:(?:here is|here's) [^:\n]{0,60}|(?:the )?(?:short )?summary)\s*:\s*/i;

/** The summary on one line, without a heading; undefined when it says nothing. */
export function parseShortForm(text: string, question = ''): string | undefined {
  const summary = withoutQuestion(bareText(text.replace(/<\/?passage[^>]{0,80}>/gi, '')), question)
    .replace(/\n+/g, ' ')
    .replace(HEADING, '');
  if (!/[\p{L}\p{N}]/u.test(summary)) return undefined;
  return /^\W*irrelevant\W*$/i.test(summary) ? 'irrelevant' : summary;
}
