/** The answer with citations to the documents it rests on (LLatrieval 2.1 eq. 2, after ALCE). */
import type { CitedDemonstration } from '../../methods/llatrieval.js';
import { bareText } from '../reading/plain.js';
import { renderPassages } from '../runtime/template.js';
import { defineStep } from './step.js';

export interface AnswerWithCitationsInput {
  question: string;
  /** Ids, in the order of the numbers by which they are cited. */
  passages: string[];
  /** Sentences with their citations, or a list of answers with one citation each (QAMPARI). */
  form: 'prose' | 'list';
  demonstrations: CitedDemonstration[];
}

/** What there is of one that was cut at last; null when the output stayed unreadable. */
export const answerWithCitations = defineStep<AnswerWithCitationsInput, string | null>({
  prompt: ({ form }) => (form === 'prose' ? 'answer-with-citations' : 'list-with-citations'),
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
  const answer = bareText(text)
    .replace(/^(?:(?:the )?(?:final )?answers?\s?:)\s{0,2}/i, '')
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
