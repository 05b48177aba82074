/** LLatrieval's verification: do the documents support an answer (LLatrieval 3.1). */
import { withoutCitations } from '../methods/citations.js';
import type { CitedDemonstration } from '../methods/llatrieval.js';
import { parseScore } from './score-answer.js';
import { defineStep } from './step.js';
import { parseVerdict } from './validate.js';

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
  parse: ({ text }) => parseJudgment(text),
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
  parse: (output) => parseScore(output, 10),
  fallback: () => null,
});

/** Reads [YES] or [NO], with or without brackets; undefined when the text says neither, or both. */
export function parseJudgment(text: string): boolean | undefined {
  const plain = text.replace(/\b(?:not|never)\s+\W*yes\b/gi, 'no');
  const bracketed = new Set(
    [...plain.matchAll(/\[\s*(yes|no)\s*\]/gi)].map(([, said]) => said?.toLowerCase() === 'yes'),
  );
  if (bracketed.size > 0) return bracketed.size === 1 ? bracketed.has(true) : undefined;
  return parseVerdict(plain.replace(/^\W*judg(?:e)?ment\b\W*/i, ''));
}
