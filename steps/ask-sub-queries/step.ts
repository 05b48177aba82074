/** ALLIES, Ask: what else should be found out (section 4.2, appendix C.2). */

import type { QueryEvidence } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';
import { lastQuery } from '../labels.js';

export interface AskSubQueriesInput {
  question: string;
  /** Oldest first. */
  history: QueryEvidence[];
  /** K, how many to ask for at most. */
  count: number;
}

/**
 * At most K, the most important first. Those that the history has already are left out: added to
 * its queries, which are a set, they would leave it as it is. None when the output stayed
 * unreadable.
 */
export const askSubQueries = declareStep<AskSubQueriesInput, string[]>(
  ({ count, history }) => `${count} after ${lastQuery(history)}`,
);
