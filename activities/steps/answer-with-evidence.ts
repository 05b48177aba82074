/** ALLIES, Answer: the question answered from the evidence so far (section 4.1, appendix C.1). */
import type { QueryEvidence } from '../../methods/vocabulary.js';
import { renderEvidence } from './evidence.js';
import { readAnswer } from './read.js';
import { defineStep } from './step.js';

export interface AnswerWithEvidenceInput {
  question: string;
  /** Oldest first; none for an answer from what the model knows. */
  history: QueryEvidence[];
}

/** Null when the output stayed unreadable. */
export const answerWithEvidence = defineStep<AnswerWithEvidenceInput, string | null>({
  prompt: 'answer-with-evidence',
  maxTokens: 64,
  variables: ({ question, history }) => ({ question, evidence: renderEvidence(history) }),
  parse: (output, { question }) => readAnswer(output, question),
  fallback: () => null,
});
