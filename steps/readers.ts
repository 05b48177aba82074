/** What answers from passages at once: the readers of the baselines (SuRe 4.1, 4.3). */

import { hasAnswer } from '../core/normalize-answer.js';
import { UNKNOWN } from '../core/unknown.js';
import type { Demonstration } from '../core/vocabulary.js';
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { answerPositions, ifShown, isAccepted, shownAnswer } from './oracles.js';
import { choice } from './outputs/choice.js';
import { numbersOf } from './outputs/numbers.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { letter, lettered, renderDemonstrations, tagged } from './rendering.js';

/** How many words their prompts ask for (SuRe A.5). */
const WORDS = 3;

/** A question and passages, with demonstrations for the prompt. */
export interface ReadInput extends QuestionInput {
  demonstrations: Demonstration[];
}

/** The reader: a short answer from the passages (SuRe "Base", appendix A.5). */
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

/** A question and the single passage to answer it from. */
export interface ReadPassageInput {
  question: string;
  /** Id; null when the search found nothing. */
  passage: string | null;
  /** Position of the passage. */
  k: number;
  /** Whether to ask how probable the answer is. */
  probability: boolean;
}

/** An answer that was read from a single passage. */
export interface Reading {
  answer: string;
  /** The probability of these words, from 0 to 1, if the endpoint gives it. */
  probability?: number;
}

/**
 * The reader on a single passage, with the probability of its answer (SuRe 4.1: Rerank, RePlug).
 * Asks as `read` does. Null when the output stayed unreadable.
 */
export const readPassage = defineStep<ReadPassageInput, Reading | null>({
  name: 'readPassage',
  label: ({ k }) => `passage ${k + 1}`,
  prompt: 'read',
  maxTokens: 64,
  logprobs: ({ probability }) => probability,
  passages: ({ passage }) => (passage === null ? [] : [passage]),
  variables: () => ({ demonstrations: '' }),
  output: mapped(shortAnswer({ words: WORDS }), (answer, { logprob }) => ({
    answer,
    // Seven digits are plenty for a weight, and stay in histories.
    ...(logprob !== undefined && { probability: Number(Math.exp(logprob).toPrecision(7)) }),
  })),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ answer, probability: 1 })),
});

/** The reader on summaries, beside the passages or in place of them (SuRe 4.3, table 3). */
export const readSummaries = readingStep<QuestionInput & { summaries: string[] }, string | null>({
  name: 'readSummaries',
  label: ({ passages, summaries }) => `${summaries.length} summaries, ${passages.length} passages`,
  prompt: 'read-summaries',
  maxTokens: 64,
  variables: ({ summaries }) => ({ summaries: tagged(summaries, 'summary') }),
  output: shortAnswer({ words: WORDS }),
  oracle: ({ summaries }, gold) => shownAnswer(gold, summaries),
});

/** An answer to a question with choices. */
export interface Choice {
  answer: string;
  /** Position among the choices; null if it is none of them. */
  choice: number | null;
}

/** "(a) ", "b. ", "Option c" */
const LETTER = /^(?:(?:choice|option) )?[([]?(\p{L})(?:[)\]][.:]? ?|[.:] |[.:]?$)/iu;

function withoutLetter(output: ModelOutput): ModelOutput {
  return { ...output, text: output.text.trim().replace(LETTER, '') };
}

/**
 * A choice by its letter or its words, or another short answer, which stands as it is. A letter and
 * words that disagree are unreadable, and so is an answer that names several of the choices.
 */
function choiceOrAnswer(choices: readonly string[]): Output<Choice> {
  const listed = choice<number | null>(
    choices.map((words, k) => ({
      value: k,
      said: [words, `(${letter(k)})`, `(${letter(k)}) ${words}`],
    })),
    { label: 'answer|choice|option', before: 'choice|option', unknown: null },
  );
  const free = mapped(shortAnswer({ words: WORDS }), (answer): Choice | undefined => {
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
 * The MCQ prompt: an answer from the passages, with 2 to 26 candidates as choices (SuRe 4.3). When
 * the output stayed unreadable: its words without a letter, if they are a short answer.
 */
export const choose = readingStep<QuestionInput & { choices: string[] }, Choice | null>({
  name: 'choose',
  label: ({ choices }) => `among ${choices.length} choices`,
  prompt: 'choose',
  maxTokens: 64,
  variables: ({ choices }) => ({ choices: lettered(choices, ' ') }),
  output: ({ choices }) => choiceOrAnswer(choices),
  fallback(output, { choices }) {
    return choiceOrAnswer(choices).read(withoutLetter(output)) ?? null;
  },
  costliest: (_, { choices }) => ({ answer: choices[0] ?? '', choice: 0 }),
  // The choices are what it is shown.
  oracle({ choices }, gold) {
    const choice = choices.findIndex((words) => isAccepted(words, gold));
    return choice < 0 ? undefined : { answer: choices[choice] ?? '', choice };
  },
});

/**
 * Passages in the order in which they help with a question, by one call (SuRe 4.1, 4.3). Positions
 * of the passages, most helpful first; passages that are not named follow. The order shown when the
 * output stayed unreadable.
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

/** Returns every position from 0 to `count - 1` once: the named ones first. */
function inOrder(named: readonly number[], count: number): number[] {
  const all = Array.from({ length: count }, (_, position) => position);
  const shown = named.map((number) => number - 1).filter((position) => all.includes(position));
  return [...new Set([...shown, ...all])];
}

/**
 * An answer from the passages so far, or that they do not suffice (SuRe 4.1, Creswell et al.).
 * Given the most helpful first. Null when more are needed, and when the output stayed unreadable.
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
  // More passages are needed while none holds it.
  oracle: (_, gold) => (gold.answers.length === 0 ? undefined : (shownAnswer(gold) ?? null)),
});
