import { implementStep } from '../define.js';
import { parseReasoned } from '../reason/implementation.js';
import { renderPairs } from '../rendering/chain-text.js';
import type * as declared from './step.js';

export const metaReason = implementStep<typeof declared.metaReason>({
  prompt: 'meta-reason',
  maxTokens: 512,
  passages: (input) => input.passages,
  variables: ({ question, pairs }) => ({ question, pairs: renderPairs(pairs) }),
  parse: parseReasoned,
  fallback: () => null,
  costliest: (longest) => ({ reasoning: '', answer: longest }),
});
