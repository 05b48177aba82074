/** The answer with citations to the documents it rests on (LLatrieval 2.1 eq. 2, after ALCE). */
import { withoutCitations } from '../core/citations.js';
import { CHARACTERS_A_TOKEN } from '../core/estimate.js';
import type { CitedDemonstration } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { holding, shownAnswer } from './oracles.js';
import { inParts, mapped } from './outputs/output.js';
import { says } from './outputs/plain.js';
import { text, wholeSentences } from './outputs/text.js';
import { renderPassages } from './rendering.js';

export interface AnswerWithCitationsInput extends QuestionInput {
  /** Sentences with their citations, or a list of answers with one citation each (QAMPARI). */
  form: 'prose' | 'list';
  demonstrations: CitedDemonstration[];
}

/** Citations alone are not an answer. */
const cited = mapped(
  text({
    form: 'a short answer in words, with the numbers of passages in square brackets',
    label: 'answers?',
    cut: 'again',
  }),
  (answer) => (says(withoutCitations(answer)) ? answer : undefined),
);

/** The whole sentences of a cut answer; null when the output stayed unreadable. */
export const answerWithCitations = readingStep<AnswerWithCitationsInput, string | null>({
  name: 'answerWithCitations',
  label: ({ passages }) => `from ${passages.length} documents`,
  prompt: {
    among: ['answer-with-citations', 'list-with-citations'],
    of: ({ form }) => (form === 'prose' ? 'answer-with-citations' : 'list-with-citations'),
  },
  maxTokens: 384,
  variables: ({ demonstrations }) => ({
    demonstrations: renderCitedDemonstrations(demonstrations),
  }),
  output: cited,
  fallback: (output) =>
    cited.read({ ...output, cut: false, text: wholeSentences(output.text) || output.text }) ?? null,
  costliest: (longest, { form, passages }) => citedStatements(longest, form, passages.length),
  // Without groups it is not known which accepted answers are one item of a list.
  oracle({ form }, { answers, answerGroups, passages }) {
    if (form === 'list' && answerGroups === undefined) return undefined;
    const statements = (answerGroups ?? [answers]).flatMap((group) => {
      const [first] = holding({ answers: group, passages });
      const answer = shownAnswer({ answers: group, passages });
      return first === undefined || answer === undefined ? [] : [`${answer} [${first + 1}]`];
    });
    return statements.length === 0 ? undefined : statements.join(form === 'list' ? ', ' : '. ');
  },
});

/** The statements that a dry run assumes, since nothing bounds them. */
export const STATEMENTS = {
  /** The least tokens of a sentence, and its citations: what ALCE counts. */
  prose: { tokens: 20, citations: 3 },
  /** Items with one citation each, as the prompt asks. */
  list: { tokens: 8, citations: 1 },
} as const;

/** Returns as many statements as fit a text so long. */
function citedStatements(longest: string, form: 'prose' | 'list', passages: number): string {
  const { tokens, citations } = STATEMENTS[form];
  const count = Math.max(1, Math.floor(longest.length / CHARACTERS_A_TOKEN / tokens));
  const numbers = Array.from(
    { length: Math.min(citations, passages) },
    (_, position) => `[${position + 1}]`,
  );
  const end = ` ${numbers.join('')}${form === 'prose' ? '. ' : ', '}`;
  return inParts(longest, count)
    .map((part) => `X${part.slice(1, part.length - end.length)}${end}`)
    .join('')
    .slice(0, -2)
    .concat(form === 'prose' ? '.' : '');
}

/** Returns one block an example: its passages, question and answer. */
function renderCitedDemonstrations(demonstrations: readonly CitedDemonstration[]): string {
  return demonstrations
    .map(({ question, passages, answer }) => {
      const shown = passages.map((passage) => ({ ...passage, id: '' }));
      return `${renderPassages(shown)}\nQuestion: ${question}\nAnswer: ${answer}`.trim();
    })
    .join('\n\n');
}
