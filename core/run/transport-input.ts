/** Input fields that make a run or job go by batch. */
import { z } from 'zod';
import { positive, whole } from '../options/ranges.js';
import { DEFAULT_BATCH_TRANSPORT } from '../provider-batches.js';

const batches = z.strictObject({
  waitSeconds: positive(86_400)
    .default(DEFAULT_BATCH_TRANSPORT.waitSeconds)
    .describe('how long a request waits for others before they are sent as a batch')
    .meta({ flag: '--batch-wait <time>', flagGroup: 'Batches of the provider', unit: 'seconds' }),
  size: whole(1, 50_000)
    .default(DEFAULT_BATCH_TRANSPORT.size)
    .describe('number of waiting requests at which a batch is sent immediately')
    .meta({ flag: '--batch-size <n>', flagGroup: 'Batches of the provider' }),
  patienceSeconds: positive(7 * 86_400)
    .default(DEFAULT_BATCH_TRANSPORT.patienceSeconds)
    .describe('time after which a request that no batch has answered is sent as a single call')
    .meta({
      flag: '--batch-patience <time>',
      flagGroup: 'Batches of the provider',
      unit: 'seconds',
    }),
});

/**
 * Schema of the batch settings of a run or job. Without them, each model call is sent on its own.
 */
export const transport = batches
  .optional()
  .describe("settings for model calls through the provider's batch endpoint, at its price")
  .meta({
    flag: '--transport <how>',
    flagGroup: 'Batches of the provider',
    flagTakes: { word: 'batch' },
  });
