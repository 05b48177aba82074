import { implementStep } from '../define.js';
import { readVerdict } from '../reading/verdict.js';
import type * as declared from './step.js';

export const judgeClaim = implementStep<typeof declared.judgeClaim>({
  prompt: 'judge-claim',
  maxTokens: 16,
  passages: ({ premise }) =>
    Array.isArray(premise) ? premise : [{ id: 'answer', title: '', text: premise.text }],
  variables: ({ claim }) => ({ claim }),
  parse: readVerdict,
  fallback: () => null,
  // What all citations entail together and none of them alone is asked about for each of them.
  costliest: (_, { premise }) => Array.isArray(premise) && premise.length > 1,
});
