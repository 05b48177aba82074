/** The reader on a single passage, with the probability of its answer (SuRe 4.1: Rerank, RePlug). */
import type { Reading } from '../../methods/baselines/ensemble.js';
import { readAnswer } from './read.js';
import { defineStep } from './step.js';

export interface ReadPassageInput {
  question: string;
  /** Id; null when the search found nothing. */
  passage: string | null;
  /** Position of the passage. */
  k: number;
  /** Whether to ask how probable the answer is. */
  probability: boolean;
}

/** Asks as `read` does. Null when the output stayed unreadable. */
export const readPassage = defineStep<ReadPassageInput, Reading | null>({
  prompt: 'read',
  maxTokens: 64,
  logprobs: ({ probability }) => probability,
  passages: ({ passage }) => (passage === null ? [] : [passage]),
  variables: ({ question }) => ({ question, demonstrations: '' }),
  parse(output, { question }) {
    const answer = readAnswer(output, question);
    const { logprob } = output;
    if (answer === undefined) return undefined;
    if (logprob === undefined) return { answer };
    // Seven digits are plenty for a weight, and stay in histories.
    return { answer, probability: Number(Math.exp(logprob).toPrecision(7)) };
  },
  fallback: () => null,
});
