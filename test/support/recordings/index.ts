/** Everything that is recorded, by name; see "Recorded histories" in the README. */
import { baselineRecordings } from './baselines.js';
import { batchRecordings } from './batches.js';
import { batchingRecordings } from './batching.js';
import { jobRecordings } from './jobs.js';
import { methodRecordings } from './methods.js';
import type { Recording } from './recording.js';

export const recordings: Record<string, Recording> = {
  ...methodRecordings,
  ...baselineRecordings,
  ...batchRecordings,
  ...batchingRecordings,
  ...jobRecordings,
};
