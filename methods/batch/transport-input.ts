/** How a run or a job says that its model calls go by batch. */
import { z } from 'zod';
import { BATCH_TRANSPORT } from '../batch-transport.js';

/** Absent where calls go one by one. */
export const transport = z.strictObject({
  waitSeconds: z
    .number()
    .positive()
    .max(86_400)
    .default(BATCH_TRANSPORT.waitSeconds)
    .describe('how long a request waits for others before a batch is made of them'),
  size: z
    .int()
    .min(1)
    .max(50_000)
    .default(BATCH_TRANSPORT.size)
    .describe('requests with which a batch is made at once'),
  patienceSeconds: z
    .number()
    .positive()
    .max(7 * 86_400)
    .default(BATCH_TRANSPORT.patienceSeconds)
    .describe('after so long a request that no batch has answered goes by itself'),
});
