/** ALLIES, Score: how probable it is that an answer is true (section 4.4, appendix C.5). */
import type { QueryEvidence } from '../../methods/vocabulary.js';
import { readScore } from '../reading/score.js';
import { renderEvidence } from './evidence.js';
import { defineStep } from './step.js';

export interface ScoreAnswerInput {
  question: string;
  /** Oldest first; none for a score from what the model knows. */
  history: QueryEvidence[];
  answer: string;
}

/** From 0 to 1; null when the output stayed unreadable. */
export const scoreAnswer = defineStep<ScoreAnswerInput, number | null>({
  prompt: 'score-answer',
  maxTokens: 32,
  variables: ({ question, history, answer }) => ({
    question,
    answer,
    evidence: renderEvidence(history),
  }),
  parse: (output) => readScore(output, 1),
  fallback: () => null,
});
