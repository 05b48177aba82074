/** ALLIES, Ask: what else should be found out (section 4.2, appendix C.2). */
import { answerKey } from '../core/answer-key.js';
import type { QueryEvidence } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { lastQuery } from './labels.js';
import { list } from './outputs/list.js';
import { mapped } from './outputs/output.js';
import { renderEvidence } from './rendering.js';

export interface AskSubQueriesInput {
  question: string;
  /** Oldest first. */
  history: QueryEvidence[];
  /** K, how many to ask for at most. */
  count: number;
}

/**
 * At most K, the most important first, without those of the history, whose queries are a set. None
 * when the output stayed unreadable.
 */
export const askSubQueries = defineStep<AskSubQueriesInput, string[]>({
  name: 'askSubQueries',
  label: ({ count, history }) => `${count} after ${lastQuery(history)}`,
  prompt: 'ask-sub-queries',
  maxTokens: 384,
  variables: ({ history, count }) => ({
    // A line each: models copy the dots of an example that ends in "...".
    form: Array.from({ length: count }, (_, k) => `${k + 1}. [sub-question]`).join('\n'),
    evidence: renderEvidence(history),
  }),
  output({ history, count }) {
    const asked = new Set(history.map(({ query }) => answerKey(query)));
    const form = `at most ${count} sub-questions, each on a line that begins with its number`;
    const queries = list({ most: Infinity, form, label: '(?:sub-?)?questions', lone: false });
    return mapped(queries, (read) =>
      read.filter((query) => !asked.has(answerKey(query))).slice(0, count),
    );
  },
  fallback: () => [],
  // Any of them may be the long one that is continued.
  costliest: (longest, { count }) => Array.from({ length: count }, (_, k) => `${k}${longest}`),
});
