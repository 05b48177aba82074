import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import { passagesOf } from '../rendering/background.js';
import type * as declared from './step.js';

export const readBackground = implementStep<typeof declared.readBackground>({
  prompt: {
    among: ['read-background-1', 'read-background-2', 'read-background-3'],
    of: ({ readerPrompt }) => `read-background-${readerPrompt}`,
  },
  maxTokens: 10,
  passages: passagesOf,
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => readAnswer(output, question),
  fallback: ({ text }, { question }) => readAnswer({ text, cut: false }, question) ?? null,
});
