/** ALLIES, Score: how probable it is that an answer is true (section 4.4, appendix C.5). */
import type { QueryEvidence } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { lastQuery } from './labels.js';
import { isAccepted } from './oracles.js';
import { numberIn } from './outputs/number.js';
import { renderEvidence } from './rendering.js';

export interface ScoreAnswerInput {
  question: string;
  /** Oldest first; none for a score from what the model knows. */
  history: QueryEvidence[];
  answer: string;
}

/** From 0 to 1; null when the output stayed unreadable. */
export const scoreAnswer = defineStep<ScoreAnswerInput, number | null>({
  name: 'scoreAnswer',
  label: ({ answer, history }) => `${answer}, with ${lastQuery(history)}`,
  prompt: 'score-answer',
  maxTokens: 32,
  variables: ({ history }) => ({ evidence: renderEvidence(history) }),
  output: numberIn({ to: 1 }),
  // Of states that score alike those with the longest history are kept: they take the most.
  costliest: (_, { history }) => history.length * Number.EPSILON,
  oracle({ answer }, gold) {
    const accepted = isAccepted(answer, gold);
    return accepted === undefined ? undefined : Number(accepted);
  },
});
