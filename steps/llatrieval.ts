/** The steps of LLatrieval (Li et al., NAACL 2024) and of the searches it is compared with. */
import { withoutCitations } from '../core/citations.js';
import { CHARACTERS_A_TOKEN } from '../core/estimate.js';
import { normalizedWords, UNKNOWN } from '../core/unknown.js';
import type { CitedDemonstration, Passage } from '../core/vocabulary.js';
import { choosePrompt, defineStep, type QuestionInput, readingStep } from './define.js';
import { answerPositions, shownAnswer, showsAllAnswers } from './oracles.js';
import { verdict } from './outputs/choice.js';
import { numberIn } from './outputs/number.js';
import { numbersOf } from './outputs/number-list.js';
import { mapped, splitEvenly } from './outputs/output.js';
import { hasWords } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';
import { searchText, text, wholeSentences } from './outputs/text.js';
import { renderPassages } from './rendering.js';
import { type SampledInput, sampledStepFields } from './samples.js';

/**
 * The input of the step that writes a hypothetical passage as a query: a question, and passages
 * that it may use.
 */
export interface HypotheticalPassageInput extends SampledInput {
  question: string;
  /**
   * Ids of passages found by the question, which the model may use (LAMER); empty to write from the
   * model's knowledge (HyDE).
   */
  passages?: string[];
}

/**
 * Declaration of the step that writes a passage that might answer the question, as a query (HyDE,
 * LAMER; LLatrieval 4.1, A.1). Its output is the passage on one line; null if the model's reply
 * stayed unreadable.
 */
export const hypotheticalPassage = defineStep<HypotheticalPassageInput, string | null>({
  name: 'hypotheticalPassage',
  label: ({ passages = [], sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}a passage to search with${passages.length > 0 ? `, from ${passages.length}` : ''}`,
  prompt: choosePrompt(
    'pseudo-passage',
    ({ passages }) => !!passages?.length,
    'hypothetical-passage',
  ),
  maxTokens: 256,
  passages: ({ passages = [] }) => passages,
  ...sampledStepFields,
  output: searchText,
});

/** The word by which the prompt lets the model say that a passage is irrelevant. */
const IRRELEVANT = 'irrelevant';

/**
 * Declaration of a step of LLatrieval: summarizes a passage for the selection (A.1, after ALCE).
 * Its output is a summary for the question, for which at most 50 words are asked, or "irrelevant";
 * null if the model's reply stayed unreadable, and the passage is then shown in full.
 */
export const summarizeDocument = defineStep<{ question: string; passage: string }, string | null>({
  name: 'summarizeDocument',
  label: ({ passage }) => `passage ${passage}`,
  prompt: 'summarize-document',
  maxTokens: 160,
  passages: ({ passage }) => [passage],
  output: mapped(
    text({ form: 'a summary of at most 50 words, or irrelevant', label: '(?:short )?summary' }),
    (summary) => (normalizedWords(summary) === IRRELEVANT ? IRRELEVANT : summary),
  ),
});

/**
 * The input of LLatrieval's selection: a question, the documents to select from, how many to
 * select, and the numbers of iteration and selection.
 */
export interface SelectDocumentsInput {
  question: string;
  /** Number of documents to select, k. */
  count: number;
  /**
   * The current supporting documents, then candidates: an id for the full text, or a passage with
   * its summary as text.
   */
  documents: (string | Passage)[];
  /** Number of the iteration, from 1. */
  iteration: number;
  /** Number of the selection within the iteration, from 1. */
  selection: number;
}

/**
 * Declaration of a step of LLatrieval, progressive selection: selects k of the documents shown
 * (3.2, table 11). Its output is the numbers of the selected documents, from 1, as the model wrote
 * them: some may be repeated or out of range. Empty if the model states that there are none, or if
 * its reply stayed unreadable.
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
      label: '(?:selected )?(?:passages|documents)|answer',
    }),
  fallback: () => [],
  oracle({ count }, gold) {
    const chosen = answerPositions(gold).map((i) => i + 1);
    return chosen.length === 0 ? undefined : chosen.slice(0, count);
  },
});

function formOf(count: number): string {
  return `Selected passages:${' #'.repeat(count)}`;
}

/**
 * The input of LLatrieval's verification by classification: the question, the documents to verify,
 * and an example of the kind of answer to support, or null.
 */
export interface VerifyClassifyInput extends QuestionInput {
  /** Example of the kind of answer to support (table 9); null for none. */
  demonstration: Pick<CitedDemonstration, 'question' | 'answer'> | null;
}

/**
 * Declaration of a step of LLatrieval, verification by classification: decides whether the
 * documents support an answer (3.1, eq. 3, table 9). Its output is true or false; null if the
 * model's reply stayed unreadable, which counts as false.
 */
export const verifyClassify = readingStep<VerifyClassifyInput, boolean | null>({
  name: 'verifyClassify',
  label: ({ passages }) => `${passages.length} documents`,
  prompt: 'verify-classify',
  maxTokens: 16,
  variables: ({ demonstration }) => ({
    demonstration: demonstration
      ? `Question: ${demonstration.question}\nAnswer: ${withoutCitations(demonstration.answer)}`
      : '',
  }),
  output: verdict('Yes'),
  oracle: (_, gold) => showsAllAnswers(gold),
});

/**
 * Declaration of a step of LLatrieval, verification by score: rates how well the documents support
 * an answer (3.1, eq. 4, table 10). Its output is a number from 0 to 10; null if the model's reply
 * stayed unreadable, which counts as not passed.
 */
export const verifyScore = readingStep<QuestionInput, number | null>({
  name: 'verifyScore',
  label: ({ passages }) => `${passages.length} documents`,
  prompt: 'verify-score',
  maxTokens: 16,
  output: numberIn({ to: 10 }),
  oracle(_, gold) {
    const enough = showsAllAnswers(gold);
    return enough === undefined ? undefined : enough ? 10 : 0;
  },
});

const newQuestion = mapped(
  shortAnswer({
    words: 73,
    label: '(?:new )?question',
    form: 'one question that asks for what is missing',
    longStands: false,
  }),
  (question) => (question === UNKNOWN ? undefined : question),
);

/**
 * Declaration of a step of LLatrieval, missing-info query: writes a query for the information that
 * the documents lack (3.2, eq. 6): a question (table 13) or a pseudo passage (table 12), by the
 * input's `style`. Its output is the query; null if the model's reply stayed unreadable.
 */
export const missingInfoQuery = readingStep<
  QuestionInput & { style: 'question' | 'passage' },
  string | null
>({
  name: 'missingInfoQuery',
  label: ({ passages, style }) => `a ${style} for what ${passages.length} documents lack`,
  prompt: choosePrompt(
    'missing-info-passage',
    ({ style }) => style === 'passage',
    'missing-info-question',
  ),
  maxTokens: 256,
  output: ({ style }) => (style === 'question' ? newQuestion : searchText),
});

/**
 * The input of the step that answers with citations: a question, its passages, the form of the
 * answer, and demonstrations.
 */
export interface AnswerWithCitationsInput extends QuestionInput {
  /** Sentences with citations, or a list of answers with one citation each (QAMPARI). */
  form: 'prose' | 'list';
  demonstrations: CitedDemonstration[];
}

/** Output type of an answer with citations; citations alone are unreadable. */
const cited = mapped(
  text({
    form: 'a short answer in words, with the numbers of passages in square brackets',
    label: 'answers?',
    cut: 'again',
    mayRefuse: true,
  }),
  (answer) => (hasWords(withoutCitations(answer)) ? answer : undefined),
);

/**
 * Declaration of the step that answers the question with citations of the passages, in sentences
 * or as a list. Its output is the text of the answer with its citations, such as [1][2]; null if
 * the model's reply stayed unreadable. An output that stays cut is returned up to its last whole
 * sentence or item; whole if it has none.
 */
export const answerWithCitations = readingStep<AnswerWithCitationsInput, string | null>({
  name: 'answerWithCitations',
  label: ({ passages }) => `from ${passages.length} documents`,
  prompt: choosePrompt(
    'list-with-citations',
    ({ form }) => form === 'list',
    'answer-with-citations',
  ),
  maxTokens: 384,
  variables: ({ demonstrations }) => ({
    demonstrations: renderCitedDemonstrations(demonstrations),
  }),
  output: cited,
  fallback(output, { form }) {
    const whole = form === 'list' ? wholeItems(output.text) : wholeSentences(output.text);
    return cited.read({ ...output, cut: false, text: whole || output.text }) ?? null;
  },
  costliest: (longest, { form, passages }) => citedStatements(longest, form, passages.length),
  // Without groups it is unknown which accepted answers are one item of a list.
  oracle({ form }, { answers, answerGroups, passages }) {
    if (form === 'list' && answerGroups === undefined) return undefined;
    const statements = (answerGroups ?? [answers]).flatMap((group) => {
      const [first] = answerPositions({ answers: group, passages });
      const answer = shownAnswer({ answers: group, passages });
      return first === undefined || answer === undefined ? [] : [`${answer} [${first + 1}]`];
    });
    return statements.length === 0 ? undefined : statements.join(form === 'list' ? ', ' : '. ');
  },
});

/**
 * Returns a list that was cut, up to its last item that ends with a citation or a separator; empty
 * if no item does.
 */
function wholeItems(list: string): string {
  const opened = list.lastIndexOf('[');
  const closed = opened > list.lastIndexOf(']') ? list.slice(0, opened) : list;
  return /^[\s\S]*(?:\]|(?=[,;\n]))/.exec(closed)?.[0] ?? '';
}

/**
 * Numbers of tokens (`tokens`) and of citations (`citations`) that dry runs assume for each
 * statement of an answer, by its form, `prose` or `list`.
 */
export const ASSUMED_STATEMENTS = {
  /** A sentence, as ALCE counts. */
  prose: { tokens: 20, citations: 3 },
  /** Items with one citation each, as the prompt asks. */
  list: { tokens: 8, citations: 1 },
} as const;

/** Returns a text of the given length that consists of as many statements with citations as fit. */
function citedStatements(longest: string, form: 'prose' | 'list', passages: number): string {
  const { tokens, citations } = ASSUMED_STATEMENTS[form];
  const count = Math.max(1, Math.floor(longest.length / CHARACTERS_A_TOKEN / tokens));
  const numbers = Array.from(
    { length: Math.min(citations, passages) },
    (_, position) => `[${position + 1}]`,
  );
  const end = ` ${numbers.join('')}${form === 'prose' ? '. ' : ', '}`;
  return splitEvenly(longest, count)
    .map((part) => `X${part.slice(1, part.length - end.length)}${end}`)
    .join('')
    .slice(0, -2)
    .concat(form === 'prose' ? '.' : '');
}

/** Returns a block of text for each demonstration: its passages, question and answer. */
function renderCitedDemonstrations(demonstrations: readonly CitedDemonstration[]): string {
  return demonstrations
    .map(({ question, passages, answer }) => {
      const shown = passages.map((passage) => ({ ...passage, id: '' }));
      return `${renderPassages(shown)}\nQuestion: ${question}\nAnswer: ${answer}`.trim();
    })
    .join('\n\n');
}
