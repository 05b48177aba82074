import { CHARACTERS_A_TOKEN } from '../../methods/estimate.js';
import type { CitedDemonstration } from '../../methods/vocabulary.js';
import { implementStep, inParts } from '../define.js';
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
  costliest: (longest, { form, passages }) => citedStatements(longest, form, passages.length),
});

/** How a cited answer is taken to be made, since nothing bounds how many statements it has. */
export const STATEMENTS = {
  /** Sentences of so many tokens or more, each with so many citations: what ALCE counts of them. */
  prose: { tokens: 20, citations: 3 },
  /** Items with one citation each, as the prompt asks. */
  list: { tokens: 8, citations: 1 },
} as const;

/** As many statements as fit a text so long. */
function citedStatements(longest: string, form: 'prose' | 'list', passages: number): string {
  const { tokens, citations } = STATEMENTS[form];
  const count = Math.max(1, Math.floor(longest.length / CHARACTERS_A_TOKEN / tokens));
  const cited = Array.from(
    { length: Math.min(citations, passages) },
    (_, position) => `[${position + 1}]`,
  );
  const end = ` ${cited.join('')}${form === 'prose' ? '. ' : ', '}`;
  return inParts(longest, count)
    .map((part) => `X${part.slice(1, part.length - end.length)}${end}`)
    .join('')
    .slice(0, -2)
    .concat(form === 'prose' ? '.' : '');
}

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
