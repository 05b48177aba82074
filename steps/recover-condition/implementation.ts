import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import type * as declared from './step.js';

/** "X = the telephone", "The missing part is the telephone" */
const LABEL =
  /^\W{0,6}(?:the )?(?:(?:missing|masked|hidden) (?:part|words?|phrase|condition|term)s?|\[?\bX\b\]?)\W{0,4}?\s?(?:=|:|is\b|$)\s?/i;

export const recoverCondition = implementStep<typeof declared.recoverCondition>({
  prompt: 'recover-condition',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ masked, candidate }) => ({ masked, candidate }),
  parse: ({ text, cut }, { masked }) => readAnswer({ text: text.replace(LABEL, ''), cut }, masked),
  fallback: () => null,
});
