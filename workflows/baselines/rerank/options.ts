import { z } from 'zod';
import { passageCount } from '../../options.js';

export const options = z.strictObject({
  passages: passageCount,
  aggregate: z
    .enum(['tfIdf', 'tfIdfAndProbability', 'vote', 'model'])
    .default('tfIdf')
    .describe(
      'how the answers of the passages become one: votes weighted by TF-IDF (SuRe 4.1); that times ' +
        'the probability of the answer, where the endpoint gives it (Lazaridou et al.); equal ' +
        'votes; or the model chooses among the answers',
    ),
});

export type RerankOptions = z.output<typeof options>;
