import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import type * as declared from './step.js';

export const readPassage = implementStep<typeof declared.readPassage>({
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
