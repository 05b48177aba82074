/** The stopping rule of a study, which is fixed before its first question. */
import { z } from 'zod';

/** Schema of the stopping rule of a study. */
export const untilDecided = z.strictObject({
  delta: z
    .number()
    .min(0)
    .lt(1)
    .default(0)
    .describe('smallest difference that matters, as a share: 0.03 is 3 points'),
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('chance of one wrong decision over all comparisons'),
  failures: z
    .enum(['wrong', 'leftOut'])
    .default('wrong')
    .describe('how questions count that fail in one of the two'),
  about: z
    .enum(['questionsLikeThese', 'thisDataset'])
    .default('questionsLikeThese')
    .describe('what is decided: of questions like these, or of this data set alone'),
});

/** The rule by which a study stops once its comparisons are decided. */
export type UntilDecided = z.output<typeof untilDecided>;
