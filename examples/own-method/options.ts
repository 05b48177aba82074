/** The options of the method. */
import { z } from 'zod';

export const options = z.strictObject({
  passages: z.int().min(1).max(50).default(5).describe('passages retrieved'),
});

export type LookTwiceOptions = z.output<typeof options>;
