/** Input fields that make a run or job go by batch. */
import { z } from 'zod';
import { positive, whole } from '../options/ranges.js';
import { BATCH_TRANSPORT } from '../provider-batches.js';

const batches = z.strictObject({
  waitSeconds: positive(86_400)
    .default(BATCH_TRANSPORT.waitSeconds)
    .describe('how long a request waits for others before a batch is made of them')
    .meta({ flag: '--batch-wait <time>', flagGroup: 'Batches of the provider', unit: 'seconds' }),
  size: whole(1, 50_000)
    .default(BATCH_TRANSPORT.size)
    .describe('requests with which a batch is made at once')
    .meta({ flag: '--batch-size <n>', flagGroup: 'Batches of the provider' }),
  patienceSeconds: positive(7 * 86_400)
    .default(BATCH_TRANSPORT.patienceSeconds)
    .describe('after so long a request that no batch has answered goes by itself')
    .meta({
      flag: '--batch-patience <time>',
      flagGroup: 'Batches of the provider',
      unit: 'seconds',
    }),
});

/** Schema of the batch settings of a run or job; left out, model calls are sent one by one. */
export const transport = batches
  .optional()
  .describe("how model calls go through the provider's batch endpoint, at its price")
  .meta({
    flag: '--transport <how>',
    flagGroup: 'Batches of the provider',
    flagTakes: { word: 'batch' },
  });
