import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import type * as declared from './step.js';

export const recoverCondition = implementStep<typeof declared.recoverCondition>({
  prompt: 'recover-condition',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ masked, candidate }) => ({ masked, candidate }),
  parse: ({ text, cut }, { masked }) =>
    readAnswer({ text: text.replace(/^\W*\[?\bX\b\]?\s*(?:=|:|is\b)\s*/i, ''), cut }, masked),
  fallback: () => null,
});
