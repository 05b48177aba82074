/**
 * Steps that process a question before a search: rewriting it into queries (Rewrite-Retrieve-Read),
 * decomposing it into sub-questions, and classifying it (Adaptive-RAG).
 */
import { answerKey, distinctAnswers } from '../core/answer-key.js';
import { citationNumbers, withoutCitations } from '../core/citations.js';
import { shortened } from '../core/shortened.js';
import { refuses, saysUnknown, UNKNOWN } from '../core/unknown.js';
import { defineStep, LONGEST_LABEL, type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { choice } from './outputs/choice.js';
import { list } from './outputs/list.js';
import { type ModelOutput, mapped, splitEvenly } from './outputs/output.js';
import { hasWords, jsonMembers } from './outputs/plain.js';
import { NEXT_QUESTION, shortAnswer } from './outputs/short-answer.js';
import { type AnsweredSubQuestion, renderSubQuestions } from './rendering.js';

/** Number of words that the prompts ask for in an answer. */
const WORDS = 3;

/**
 * The input of steps that write several queries or sub-questions for a question: the question, and
 * how many at most.
 */
export interface CountedInput {
  question: string;
  /** Maximum number of queries or sub-questions. */
  count: number;
}

/** Returns the texts that contain words and mean neither "does not know" nor a refusal. */
function meant(texts: readonly string[], { unknown, refusals }: ModelOutput): string[] {
  return texts.filter(
    (text) => hasWords(text) && !saysUnknown(text, unknown) && !refuses(text, refusals),
  );
}

/**
 * Declaration of a step of Rewrite-Retrieve-Read: rewrites a question into queries. Its output is
 * at most `count` distinct ones; empty if the model's reply stayed unreadable. A single line is
 * split at semicolons, as in the paper's prompt.
 */
export const rewriteQuestion = defineStep<CountedInput, string[]>({
  name: 'rewriteQuestion',
  label: ({ count }) => `at most ${count} queries`,
  prompt: 'rewrite-question',
  maxTokens: 256,
  stop: [NEXT_QUESTION],
  output: ({ count }) => {
    const lines = list({
      most: Infinity,
      form: `at most ${count} queries, each on a line that begins with its number`,
      label: '(?:search )?quer(?:y|ies)',
      before: '(?:search )?query|(?:sub-?)?question|q',
      lone: true,
    });
    const queries = mapped(lines, (read, output) => {
      const [only = ''] = read;
      const split = read.length === 1 ? only.split(';').map((query) => query.trim()) : read;
      const distinct = distinctAnswers(meant(split, output));
      return distinct.length === 0 ? undefined : distinct.slice(0, count);
    });
    return { ...queries, longest: (text: string) => splitEvenly(text, count) };
  },
  fallback: () => [],
});

/**
 * Declaration of a step of decomposition: decomposes a question into sub-questions. Its output is
 * a list of at most `count`, in the order in which they can be answered; a later one refers to the
 * answer of an earlier one by its number, such as #1. Empty if the model names none, or only the
 * question itself, or if its reply stayed unreadable.
 */
export const decomposeQuestion = defineStep<CountedInput, string[]>({
  name: 'decomposeQuestion',
  label: ({ count }) => `at most ${count} sub-questions`,
  prompt: 'decompose-question',
  maxTokens: 256,
  stop: [NEXT_QUESTION],
  output({ question, count }) {
    const lines = list({
      most: Infinity,
      form: `at most ${count} sub-questions, each on a line that begins with its number, or None`,
      label: '(?:sub-?)?questions',
      before: '(?:sub-?)?question|q',
      lone: false,
      // Later ones name them by their numbers.
      repeats: true,
    });
    const subQuestions = mapped(lines, (read, output) => {
      const found = meant(read, output);
      // Without one of them the numbers would refer to others.
      if (found.length !== read.length) return found.length === 0 ? [] : undefined;
      const isItself = found.length === 1 && answerKey(found[0] ?? '') === answerKey(question);
      return isItself ? [] : found.slice(0, count);
    });
    return {
      ...subQuestions,
      read: (output) => (saysNone(output) ? [] : subQuestions.read(output)),
    };
  },
  fallback: () => [],
  // A dry run assumes that each refers to all earlier ones, whose answers are filled in.
  costliest: (longest, { count }) =>
    splitEvenly(longest, count).map((part, k) => {
      const named = Array.from({ length: k }, (_, i) => ` #${i + 1}`).join('');
      return `${part.slice(0, part.length - named.length)}${named}`;
    }),
});

/** Returns whether an output states that there is no sub-question, in words or by an empty list. */
function saysNone(output: ModelOutput): boolean {
  const [items] = jsonMembers(output, ['items']) ?? [];
  return Array.isArray(items) ? items.length === 0 : saysUnknown(output.text, output.unknown);
}

/**
 * The answer to a sub-question, null if there is none, with the numbers of the passages that it
 * cites, from 1.
 */
export interface SubAnswer {
  /** The answer; null if the passages do not contain it, or if the output stayed unreadable. */
  answer: string | null;
  /** Numbers of the cited passages, from 1. */
  cited: number[];
}

/** Returns whether an answer consists of citations only: "[2]", "[2] [1]". */
function isOnlyCited(answer: string, text: string): boolean {
  const isNumber = /^\d+$/.test(answer) && !withoutCitations(text).includes(answer);
  return isNumber || !hasWords(withoutCitations(answer));
}

/**
 * Declaration of a step of decomposition: answers a sub-question from its passages. Its output is
 * a short `answer`, null if the passages do not contain it or if the model's reply stayed
 * unreadable, and the numbers of the passages that it cites, from 1 (`cited`).
 */
export const answerSubQuestion = readingStep<QuestionInput, SubAnswer>({
  name: 'answerSubQuestion',
  label: ({ question, passages }) =>
    `"${shortened(question, LONGEST_LABEL)}", ${passages.length} passages`,
  prompt: 'answer-sub-question',
  maxTokens: 64,
  stop: [NEXT_QUESTION],
  output: mapped(shortAnswer({ words: WORDS }), (answer, { text }) =>
    isOnlyCited(answer, text)
      ? undefined
      : {
          answer: answer === UNKNOWN ? null : answer,
          cited: [...new Set(citationNumbers(text))],
        },
  ),
  fallback: () => ({ answer: null, cited: [] }),
});

/**
 * The input of the final step of decomposition: a question with its answered sub-questions, and the
 * passages that these cite.
 */
export interface SubQuestionsInput extends QuestionInput {
  /** Sub-questions with their answers, in the order in which they were answered. */
  subQuestions: AnsweredSubQuestion[];
}

/**
 * Declaration of a step of decomposition: answers the question from its answered sub-questions,
 * and the passages that these cite. Its output is a short answer, "unknown" if the model does not
 * know; null if the model's reply stayed unreadable.
 */
export const answerFromSubQuestions = readingStep<SubQuestionsInput, string | null>({
  name: 'answerFromSubQuestions',
  label: ({ subQuestions, passages }) =>
    `${subQuestions.length} sub-questions, ${passages.length} passages`,
  prompt: 'answer-from-sub-questions',
  maxTokens: 64,
  variables: ({ subQuestions }) => ({ subQuestions: renderSubQuestions(subQuestions) }),
  output: shortAnswer({ words: WORDS }),
  oracle({ subQuestions }, gold) {
    return shownAnswer(
      gold,
      subQuestions.flatMap(({ answer }) => answer ?? []),
    );
  },
});

/**
 * The class of a question by the searches that it needs: none, a single one, or several that build
 * on each other ("multi").
 */
export type QuestionClass = 'none' | 'single' | 'multi';

/**
 * Declaration of a step of Adaptive-RAG: classifies a question by the searches that it needs. Its
 * output is the class; 'single' if the model's reply stayed unreadable.
 */
export const classifyQuestion = defineStep<{ question: string }, QuestionClass>({
  name: 'classifyQuestion',
  prompt: 'classify-question',
  maxTokens: 16,
  stop: [NEXT_QUESTION],
  output: choice<QuestionClass>(
    [
      { value: 'none', wordings: ['None', 'A'] },
      { value: 'single', wordings: ['Single', 'B'] },
      { value: 'multi', wordings: ['Multi', 'Multiple', 'C'] },
    ],
    { label: 'answer|class|complexity' },
  ),
  fallback: () => 'single',
  branches: () => ['none', 'single', 'multi'],
});
