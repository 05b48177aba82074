/** Options that several methods have. */
import { z } from 'zod';
import { whole } from '../core/options/ranges.js';
import type { Demonstration } from '../core/vocabulary.js';

/** Question-answer pairs shown as examples (SuRe, few-shot results: 1 and 5). */
export const demonstrations: z.ZodType<Demonstration[]> = z
  .array(z.strictObject({ question: z.string().min(1), answer: z.string().min(1) }))
  .max(50)
  .default([])
  .describe('question-answer pairs shown as examples (SuRe, few-shot: 0, 1 or 5)');

/** N of the methods that do not answer without passages. */
export const passageCount = whole(1, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10)');

/** N of the methods that can answer without passages. */
export const optionalPassageCount = whole(0, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10); 0 does without retrieval');

/** One candidate for each letter that can mark it. */
export const MOST_CANDIDATES = 26;

/** K of the methods that choose among candidates. */
export const candidateCount = whole(2, MOST_CANDIDATES)
  .default(2)
  .describe('K, answer candidates asked for (SuRe 4.1: 2)');
