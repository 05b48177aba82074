import { implementStep } from '../define.js';
import { parseReasoned } from '../reason/implementation.js';
import { renderChains } from '../rendering/chain-text.js';
import type * as declared from './step.js';

export const metaReason = implementStep<typeof declared.metaReason>({
  prompt: 'meta-reason',
  maxTokens: 512,
  variables: ({ question, chains }) => ({ question, chains: renderChains(chains) }),
  parse: parseReasoned,
  fallback: () => null,
  costliest: (longest) => ({ reasoning: '', answer: longest }),
});
