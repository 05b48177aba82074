import { implementStep } from '../define.js';
import { readVerdict } from '../reading/verdict.js';
import type * as declared from './step.js';

export const validate = implementStep<typeof declared.validate>({
  prompt: 'validate',
  maxTokens: 16,
  variables: ({ question, candidate, summary }) => ({ question, candidate, summary }),
  parse: readVerdict,
  fallback: () => false,
});
