/** The reader on a single passage, with the probability of its answer (SuRe 4.1: Rerank, RePlug). */
import { defineStep } from './define.js';
import { ifShown } from './oracles.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';

export interface ReadPassageInput {
  question: string;
  /** Id; null when the search found nothing. */
  passage: string | null;
  /** Position of the passage. */
  k: number;
  /** Whether to ask how probable the answer is. */
  probability: boolean;
}

/** An answer from a single passage. */
export interface Reading {
  answer: string;
  /** The probability of these words, from 0 to 1, if the endpoint gives it. */
  probability?: number;
}

/** Asks as `read` does. Null when the output stayed unreadable. */
export const readPassage = defineStep<ReadPassageInput, Reading | null>({
  name: 'readPassage',
  label: ({ k }) => `passage ${k + 1}`,
  prompt: 'read',
  maxTokens: 64,
  logprobs: ({ probability }) => probability,
  passages: ({ passage }) => (passage === null ? [] : [passage]),
  variables: () => ({ demonstrations: '' }),
  output: mapped(shortAnswer(), (answer, { logprob }) => ({
    answer,
    // Seven digits are plenty for a weight, and stay in histories.
    ...(logprob !== undefined && { probability: Number(Math.exp(logprob).toPrecision(7)) }),
  })),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ answer, probability: 1 })),
});
