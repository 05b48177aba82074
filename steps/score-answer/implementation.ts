import { implementStep } from '../define.js';
import { readScore } from '../reading/score.js';
import { renderEvidence } from '../rendering/evidence.js';
import type * as declared from './step.js';

export const scoreAnswer = implementStep<typeof declared.scoreAnswer>({
  prompt: 'score-answer',
  maxTokens: 32,
  variables: ({ question, history, answer }) => ({
    question,
    answer,
    evidence: renderEvidence(history),
  }),
  parse: (output) => readScore(output, 1),
  fallback: () => null,
  // Of states that score alike those with the longest history are kept: they take the most.
  costliest: (_, { history }) => history.length * Number.EPSILON,
});
