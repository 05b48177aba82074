/**
 * What a question becomes before a search: queries (Rewrite-Retrieve-Read), sub-questions, each
 * answered over its own passages (decomposition), and its class (Adaptive-RAG).
 */
import { answerKey, distinctAnswers } from '../core/answer-key.js';
import { citationNumbers, withoutCitations } from '../core/citations.js';
import { shortened } from '../core/shortened.js';
import { refuses, saysUnknown, UNKNOWN } from '../core/unknown.js';
import { defineStep, LABEL, type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { choice } from './outputs/choice.js';
import { list } from './outputs/list.js';
import { inParts, type ModelOutput, mapped } from './outputs/output.js';
import { membersOf, says } from './outputs/plain.js';
import { NEXT_QUESTION, shortAnswer } from './outputs/short-answer.js';
import { type AnsweredSubQuestion, renderSubQuestions } from './rendering.js';

/** How many words of an answer their prompts ask for. */
const WORDS = 3;

/** What is made of a question, and of how many at most. */
export interface CountedInput {
  question: string;
  count: number;
}

/** Returns the texts that say something, and neither "does not know" nor a refusal. */
function meant(texts: readonly string[], { unknown, refusals }: ModelOutput): string[] {
  return texts.filter(
    (text) => says(text) && !saysUnknown(text, unknown) && !refuses(text, refusals),
  );
}

/**
 * Rewrite-Retrieve-Read: different queries for a question, at most so many. One line without a mark
 * is split at semicolons, as the paper's prompt asks for. None when the output stayed unreadable.
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
    return { ...queries, longest: (text: string) => inParts(text, count) };
  },
  fallback: () => [],
});

/**
 * Decomposition: a question in sub-questions, at most so many, in the order in which they can be
 * answered. A later one names the answer of an earlier one by its number, as #1. None for a
 * question that asks for one fact, and when the output stayed unreadable.
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
      const said = meant(read, output);
      // Without one of them the numbers would name others.
      if (said.length !== read.length) return said.length === 0 ? [] : undefined;
      const isItself = said.length === 1 && answerKey(said[0] ?? '') === answerKey(question);
      return isItself ? [] : said.slice(0, count);
    });
    return {
      ...subQuestions,
      read: (output) => (saysNone(output) ? [] : subQuestions.read(output)),
    };
  },
  fallback: () => [],
  // Each names all earlier ones, whose answers are filled in.
  costliest: (longest, { count }) =>
    inParts(longest, count).map((part, k) => {
      const named = Array.from({ length: k }, (_, i) => ` #${i + 1}`).join('');
      return `${part.slice(0, part.length - named.length)}${named}`;
    }),
});

/** Tells whether an output says that there is no sub-question, in words or by an empty list. */
function saysNone(output: ModelOutput): boolean {
  const [items] = membersOf(output, ['items']) ?? [];
  return Array.isArray(items) ? items.length === 0 : saysUnknown(output.text, output.unknown);
}

/** The answer to a sub-question, with the numbers, from 1, of the passages that it cites. */
export interface SubAnswer {
  /** Null when the passages do not tell, and when the output stayed unreadable. */
  answer: string | null;
  cited: number[];
}

/** Tells whether an answer is nothing but numbers of passages in brackets: "[2]", "[2] [1]". */
function isOnlyCited(answer: string, text: string): boolean {
  const isNumber = /^\d+$/.test(answer) && !withoutCitations(text).includes(answer);
  return isNumber || !says(withoutCitations(answer));
}

/** Decomposition: a sub-question answered from its own passages, with what the answer rests on. */
export const answerSubQuestion = readingStep<QuestionInput, SubAnswer>({
  name: 'answerSubQuestion',
  label: ({ question, passages }) => `"${shortened(question, LABEL)}", ${passages.length} passages`,
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

/** A question with its answered sub-questions. */
export interface SubQuestionsInput extends QuestionInput {
  /** Sub-questions with their answers, oldest first. */
  subQuestions: AnsweredSubQuestion[];
}

/**
 * Decomposition: the question answered from its sub-questions, their answers and the passages that
 * these rest on. Null when the output stayed unreadable.
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

/** What a question needs: no search, one, or several, each by what the one before has found. */
export type QuestionClass = 'none' | 'single' | 'multi';

/** Adaptive-RAG: the class of a question; 'single' when the output stayed unreadable. */
export const classifyQuestion = defineStep<{ question: string }, QuestionClass>({
  name: 'classifyQuestion',
  prompt: 'classify-question',
  maxTokens: 16,
  stop: [NEXT_QUESTION],
  output: choice<QuestionClass>(
    [
      { value: 'none', said: ['None', 'A'] },
      { value: 'single', said: ['Single', 'B'] },
      { value: 'multi', said: ['Multi', 'Multiple', 'C'] },
    ],
    { label: 'answer|class|complexity' },
  ),
  fallback: () => 'single',
  branches: () => ['none', 'single', 'multi'],
});
