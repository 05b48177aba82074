/** The options and chain of methods that end by reading a few passages. Pure. */

import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';

/** k of the methods that choose what they read from more passages. */
export const readCount = whole(1, 50).default(5).describe('k, passages read (LLatrieval 4.1: 5)');

/** N of the methods that choose what they read from more passages. */
export const candidatePassages = whole(1, 200)
  .default(50)
  .describe('N, passages retrieved to choose from (LLatrieval 4.1: 50)');

/** The form of an answer read from passages. */
export const answerForm = z
  .enum(['short', 'prose', 'list'])
  .default('short')
  .describe(
    'at most 3 words (SuRe A.5), or sentences or a list that cite the passages (LLatrieval 4.1)',
  );

export type AnswerForm = z.output<typeof answerForm>;
