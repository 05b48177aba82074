/** The line a person reads beside a step in the Temporal UI: which candidate, which pair. */
import type { Steps } from './steps.js';

type Labels = { [S in keyof Steps]: (input: Parameters<Steps[S]>[0]) => string };

export const labels: Labels = {
  retrieve: ({ query, count }) => `${count} for "${query}"`,
  generateCandidates: ({ count }) => `${count} candidates`,
  summarize: ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
  validate: ({ candidate }) => `candidate: ${candidate}`,
  rankPair: ({ first, second }) => `summary ${first.k + 1} against ${second.k + 1}`,
  read: ({ passages }) => `${passages.length} passages`,
};
