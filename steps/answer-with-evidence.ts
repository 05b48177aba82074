/** ALLIES, Answer: the question answered from the evidence so far (section 4.1, appendix C.1). */
import type { QueryEvidence } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { lastQuery } from './labels.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';
import { renderEvidence } from './rendering.js';

export interface AnswerWithEvidenceInput {
  question: string;
  /** Oldest first; none for an answer from what the model knows. */
  history: QueryEvidence[];
}

export const answerWithEvidence = defineStep<AnswerWithEvidenceInput, string | null>({
  name: 'answerWithEvidence',
  label: ({ history }) => `with ${lastQuery(history)}`,
  prompt: 'answer-with-evidence',
  maxTokens: 64,
  variables: ({ history }) => ({ evidence: renderEvidence(history) }),
  output: shortAnswer(),
  oracle: ({ history }, gold) =>
    shownAnswer(
      gold,
      history.flatMap(({ evidence }) => evidence ?? []),
    ),
});
