/** The stopping rule of a study, which is fixed before its first question. */
import { z } from 'zod';

/** Schema of the rule by which a study stops asking once its comparisons are decided. */
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
    .describe('chance of at least one wrong decision over all comparisons'),
  failures: z
    .enum(['wrong', 'leftOut'])
    .default('wrong')
    .describe('how questions that fail in one of the two runs count'),
  about: z
    .enum(['questionsLikeThese', 'thisDataset'])
    .default('questionsLikeThese')
    .describe('scope of the decision: questions like these, or this data set alone'),
});

/**
 * The rule by which a study stops asking once its comparisons are decided: the smallest difference
 * of scores that matters (`delta`) and the chance of a wrong decision (`alpha`), both as
 * fractions, how failed questions count, and what the decision is about. It is fixed before the
 * first question.
 */
export type UntilDecided = z.output<typeof untilDecided>;
