import { MOST_CANDIDATES } from '../../methods/options/options.js';
import { implementStep } from '../define.js';
import { readPreference } from '../reading/preference.js';
import type * as declared from './step.js';

export const rankPair = implementStep<typeof declared.rankPair>({
  prompt: 'rank-pair',
  maxTokens: 16,
  // Summaries may read the same; each pair is asked in both orders all the same.
  sample: ({ first, second }) => first.k * MOST_CANDIDATES + second.k,
  variables: ({ question, first, second }) => ({
    question,
    first: first.summary,
    second: second.summary,
  }),
  parse: readPreference,
  fallback: () => null,
});
