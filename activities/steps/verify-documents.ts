/** LLatrieval's verification: do the documents support an answer (LLatrieval 3.1). */
import { withoutCitations } from '../../methods/citations.js';
import type { CitedDemonstration } from '../../methods/llatrieval.js';
import { readScore } from '../reading/score.js';
import { readVerdict } from '../reading/verdict.js';
import { defineStep } from './step.js';

export interface VerifyClassifyInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
  /** Shows what kind of answer they are to support (table 9); null for none. */
  demonstration: Pick<CitedDemonstration, 'question' | 'answer'> | null;
}

/** [YES] or [NO] (eq. 3, table 9). Null when the output stayed unreadable: not passed. */
export const verifyClassify = defineStep<VerifyClassifyInput, boolean | null>({
  prompt: 'verify-classify',
  maxTokens: 16,
  passages: (input) => input.passages,
  variables: ({ question, demonstration }) => ({
    question,
    demonstration: demonstration
      ? `Question: ${demonstration.question}\nAnswer: ${withoutCitations(demonstration.answer)}`
      : '',
  }),
  parse: readVerdict,
  fallback: () => null,
});

export interface VerifyScoreInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
}

/** From 0 to 10 (eq. 4, table 10). Null when the output stayed unreadable: not passed. */
export const verifyScore = defineStep<VerifyScoreInput, number | null>({
  prompt: 'verify-score',
  maxTokens: 16,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output) => readScore(output, 10),
  fallback: () => null,
});
