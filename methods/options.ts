/** Options that several methods have. */
import { z } from 'zod';
import type { Demonstration } from './vocabulary.js';

/** Question-answer pairs shown as examples (SuRe, few-shot results: 1 and 5). */
export const demonstrations: z.ZodType<Demonstration[]> = z
  .array(z.strictObject({ question: z.string().min(1), answer: z.string().min(1) }))
  .max(50)
  .default([])
  .describe('question-answer pairs shown as examples (SuRe, few-shot: 0, 1 or 5)');
