import { implementStep } from '../define.js';
import { wholeSentences } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import type * as declared from './step.js';

export const summarizeDocument = implementStep<typeof declared.summarizeDocument>({
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
  const plain = bareText(text.replace(/<\/?passage[^>]{0,80}>/gi, ''));
  const summary = withoutPreamble(withoutQuestion(plain, question))
    .replace(/\n+/g, ' ')
    .replace(HEADING, '');
  if (!/[\p{L}\p{N}]/u.test(summary)) return undefined;
  return /^\W*irrelevant\W*$/i.test(summary) ? 'irrelevant' : summary;
}
