import { z } from 'zod';
import { passageCount } from '../../options.js';

export const options = z.strictObject({
  passages: passageCount,
  weights: z
    .enum(['retrieval', 'embedding'])
    .default('embedding')
    .describe(
      'scores that the passages weigh by: the cosine to the question (SuRe 4.1: embeddings), or those of the search',
    ),
  temperature: z
    .number()
    .positive()
    .max(1000)
    .default(1)
    .describe(
      'of the softmax over the scores (Shi et al.: 1); cosines lie close together, those of BM25 so far apart that the first passage has most of the weight',
    ),
  probabilities: z
    .boolean()
    .default(true)
    .describe('weigh an answer by its probability too, where the endpoint gives it'),
});

export type ReplugOptions = z.output<typeof options>;
