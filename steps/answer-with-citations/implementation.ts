import type { CitedDemonstration } from '../../methods/llatrieval.js';
import { implementStep } from '../define.js';
import { bareText } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { renderPassages } from '../rendering/passages.js';
import type * as declared from './step.js';

export const answerWithCitations = implementStep<typeof declared.answerWithCitations>({
  prompt: {
    among: ['answer-with-citations', 'list-with-citations'],
    of: ({ form }) => (form === 'prose' ? 'answer-with-citations' : 'list-with-citations'),
  },
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question, demonstrations }) => ({
    question,
    demonstrations: renderCitedDemonstrations(demonstrations),
  }),
  parse: ({ text, cut }) => (cut ? undefined : parseCitedAnswer(text)),
  fallback: ({ text }) => parseCitedAnswer(text) ?? null,
});

/** The text without a label; undefined when it says nothing but citations. */
export function parseCitedAnswer(text: string): string | undefined {
  const answer = withoutPreamble(bareText(text))
    .replace(/^(?:the )?(?:final )?answers?(?:\s?:\s{0,2}| ?\n\s?)/i, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(answer.replace(/\[[^[\]]*\]/g, '')) ? answer : undefined;
}

/** One block an example: its passages, question and answer. */
function renderCitedDemonstrations(demonstrations: readonly CitedDemonstration[]): string {
  return demonstrations
    .map(({ question, passages, answer }) => {
      const shown = passages.map((passage) => ({ ...passage, id: '' }));
      return `${renderPassages(shown)}\nQuestion: ${question}\nAnswer: ${answer}`.trim();
    })
    .join('\n\n');
}
