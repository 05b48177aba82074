/**
 * Steps that answer from passages, or rank them, in one call: the readers of the baselines (SuRe
 * 4.1, 4.3).
 */

import { hasAnswer } from '../core/normalize-answer.js';
import { UNKNOWN } from '../core/unknown.js';
import type { Demonstration } from '../core/vocabulary.js';
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { answerPositions, fromShownAnswer, isAccepted, shownAnswer } from './oracles.js';
import { choice } from './outputs/choice.js';
import { numbersOf } from './outputs/number-list.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { letter, letteredList, renderDemonstrations, wrapInTags } from './rendering.js';

/** Number of words that the prompts ask for in an answer (SuRe A.5). */
const WORDS = 3;

/** The input of the reader: a question, the ids of its passages, and demonstrations. */
export interface ReadInput extends QuestionInput {
  demonstrations: Demonstration[];
}

/**
 * Declaration of the step that answers a question from passages (SuRe "Base", appendix A.5). Its
 * output is a short answer, which is "unknown" (`UNKNOWN`) if the model does not know; null if the
 * model's reply stayed unreadable.
 */
export const read = readingStep<ReadInput, string | null>({
  name: 'read',
  prompt: 'read',
  maxTokens: 64,
  variables: ({ demonstrations }) => ({
    demonstrations: renderDemonstrations(demonstrations),
  }),
  output: shortAnswer({ words: WORDS }),
  oracle: (_, gold) => shownAnswer(gold),
});

/**
 * The input of the reader of a single passage: a question, the id of the passage, null if nothing
 * was found, and its position from 0.
 */
export interface ReadPassageInput {
  question: string;
  /** Passage id; null if the search found nothing. */
  passage: string | null;
  /** Position of the passage, from 0. */
  k: number;
  /** Whether to request the probability of the answer from the endpoint. */
  probability: boolean;
}

/**
 * An answer from a single passage, with its probability from 0 to 1 if that was requested and the
 * endpoint provides it.
 */
export interface PassageAnswer {
  answer: string;
  /**
   * Probability of the output's tokens, from 0 to 1; absent unless it was requested and the
   * endpoint provides it.
   */
  probability?: number;
}

/**
 * Declaration of the step that answers from a single passage, with the prompt of `read` (SuRe 4.1:
 * Rerank, RePlug). Its output has a short `answer`, and its `probability` from 0 to 1 if the input
 * requests it and the endpoint provides it; null if the model's reply stayed unreadable.
 */
export const readPassage = defineStep<ReadPassageInput, PassageAnswer | null>({
  name: 'readPassage',
  label: ({ k }) => `passage ${k + 1}`,
  prompt: 'read',
  maxTokens: 64,
  logprobs: ({ probability }) => probability,
  passages: ({ passage }) => (passage === null ? [] : [passage]),
  variables: () => ({ demonstrations: '' }),
  output: mapped(shortAnswer({ words: WORDS }), (answer, { logprob }) => ({
    answer,
    // Seven digits are enough for a weight, and keep histories small.
    ...(logprob !== undefined && { probability: Number(Math.exp(logprob).toPrecision(7)) }),
  })),
  oracle: (_, gold) => fromShownAnswer(gold, (answer) => ({ answer, probability: 1 })),
});

/**
 * Declaration of the step that answers from summaries, with or without passages (SuRe 4.3, table
 * 3). Its output is a short answer, "unknown" if the model does not know; null if the model's
 * reply stayed unreadable.
 */
export const readSummaries = readingStep<QuestionInput & { summaries: string[] }, string | null>({
  name: 'readSummaries',
  label: ({ passages, summaries }) => `${summaries.length} summaries, ${passages.length} passages`,
  prompt: 'read-summaries',
  maxTokens: 64,
  variables: ({ summaries }) => ({ summaries: wrapInTags(summaries, 'summary') }),
  output: shortAnswer({ words: WORDS }),
  oracle: ({ summaries }, gold) => shownAnswer(gold, summaries),
});

/**
 * An answer to a multiple-choice question: its text (`answer`), and the position of the choice,
 * from 0 (`choice`), which is null if the answer is none of the choices.
 */
export interface ChosenAnswer {
  answer: string;
  /** Position of the choice, from 0; null if the answer is none of the choices. */
  choice: number | null;
}

/** Pattern of a letter before a choice: "(a) ", "b. ", "Option c". */
const LETTER = /^(?:(?:choice|option) )?[([]?(\p{L})(?:[)\]][.:]? ?|[.:] |[.:]?$)/iu;

function withoutLetter(output: ModelOutput): ModelOutput {
  return { ...output, text: output.text.trim().replace(LETTER, '') };
}

/**
 * Returns the output type of a choice by its letter or its words, or of another short answer.
 * Unreadable if letter and words disagree, or if the answer names several choices.
 */
function choiceOrAnswer(choices: readonly string[]): Output<ChosenAnswer> {
  const listed = choice<number | null>(
    choices.map((words, k) => ({
      value: k,
      wordings: [words, `(${letter(k)})`, `(${letter(k)}) ${words}`],
    })),
    { label: 'answer|choice|option', before: 'choice|option', unknown: null },
  );
  const free = mapped(shortAnswer({ words: WORDS }), (answer): ChosenAnswer | undefined => {
    const isLetter =
      /\([a-z]\)/.test(answer) ||
      choices.some((_, k) => letter(k) === LETTER.exec(answer)?.[1]?.toLowerCase());
    const named = choices.filter((words) => hasAnswer(answer, [words]));
    return isLetter || named.length > 1 ? undefined : { answer, choice: null };
  });
  return {
    ...free,
    read(output) {
      const k = listed.read(output);
      if (k === undefined) return free.read(output);
      // "(a) London, UK", if London is a and London, UK is b.
      const byWords = listed.read(withoutLetter(output)) ?? k;
      return byWords !== k
        ? undefined
        : { answer: k === null ? UNKNOWN : (choices[k] ?? ''), choice: k };
    },
  };
}

/**
 * Declaration of the step that answers from the passages, given 2 to 26 choices (SuRe 4.3, MCQ
 * prompt). Its output is the text of the chosen one (`answer`) with its position, from 0
 * (`choice`), or another short answer with null for the position. If the output stayed unreadable,
 * a letter before the answer is left out; null if it is unreadable without that as well.
 */
export const choose = readingStep<QuestionInput & { choices: string[] }, ChosenAnswer | null>({
  name: 'choose',
  label: ({ choices }) => `among ${choices.length} choices`,
  prompt: 'choose',
  maxTokens: 64,
  variables: ({ choices }) => ({ choices: letteredList(choices, ' ') }),
  output: ({ choices }) => choiceOrAnswer(choices),
  fallback(output, { choices }) {
    return choiceOrAnswer(choices).read(withoutLetter(output)) ?? null;
  },
  costliest: (_, { choices }) => ({ answer: choices[0] ?? '', choice: 0 }),
  // The answer is looked for among the choices, not in the passages.
  oracle({ choices }, gold) {
    const choice = choices.findIndex((words) => isAccepted(words, gold));
    return choice < 0 ? undefined : { answer: choices[choice] ?? '', choice };
  },
});

/**
 * Declaration of the step that ranks passages by how much they help with a question, in one call
 * (SuRe 4.1, 4.3). Its output is the positions of all passages, from 0: most helpful first, then
 * those that the model did not name. If the output stayed unreadable, they are in the order shown.
 */
export const rankPassages = readingStep<QuestionInput, number[]>({
  name: 'rankPassages',
  prompt: 'rank-passages',
  maxTokens: ({ passages }) => Math.max(1024, 8 * passages.length),
  variables: ({ passages }) => ({ count: String(passages.length) }),
  output: ({ passages }) =>
    mapped(
      numbersOf({
        most: passages.length,
        form: 'one line of numbers in the form [2] > [1] > [3]',
        label: 'order|ranking|answer',
      }),
      (named) => (named.length > 0 ? inOrder(named, passages.length) : undefined),
    ),
  fallback: (_, { passages }) => passages.map((_passage, position) => position),
  oracle({ passages }, gold) {
    const first = answerPositions(gold).map((position) => position + 1);
    return first.length === 0 ? undefined : inOrder(first, passages.length);
  },
});

/** Returns all positions from 0 to `count - 1`, those of the named numbers first. */
function inOrder(named: readonly number[], count: number): number[] {
  const all = Array.from({ length: count }, (_, position) => position);
  const shown = named.map((number) => number - 1).filter((position) => all.includes(position));
  return [...new Set([...shown, ...all])];
}

/**
 * Declaration of a step of selection-inference: answers from the most helpful passages (SuRe 4.1,
 * Creswell et al.). Its output is a short answer; null if the passages do not suffice, or if the
 * model's reply stayed unreadable.
 */
export const infer = readingStep<QuestionInput, string | null>({
  name: 'infer',
  label: ({ passages }) => `the first ${passages.length} passages`,
  prompt: 'infer',
  maxTokens: 64,
  output: mapped(
    shortAnswer({
      words: WORDS,
      form: 'the answer only, in at most 3 words, or INSUFFICIENT',
      longStands: false,
    }),
    (answer) => (answer === UNKNOWN ? null : answer),
  ),
  costliest: () => null,
  // Null, for more passages, unless one shown contains the answer.
  oracle: (_, gold) => (gold.answers.length === 0 ? undefined : (shownAnswer(gold) ?? null)),
});
