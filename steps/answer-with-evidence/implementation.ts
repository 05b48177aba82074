import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import { renderEvidence } from '../rendering/evidence.js';
import type * as declared from './step.js';

export const answerWithEvidence = implementStep<typeof declared.answerWithEvidence>({
  prompt: 'answer-with-evidence',
  maxTokens: 64,
  variables: ({ question, history }) => ({ question, evidence: renderEvidence(history) }),
  parse: (output, { question }) => readAnswer(output, question),
  fallback: () => null,
});
