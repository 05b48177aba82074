/** Everything that is recorded, by name; see "Recorded histories" in the README. */
import { baselineRecordings } from './baselines.js';
import { jobRecordings } from './jobs.js';
import { judgeRecordings } from './judges.js';
import { methodRecordings } from './methods.js';
import { batchingRecordings } from './provider-batches.js';
import type { Recording } from './recording.js';
import { runRecordings } from './runs.js';
import { studyRecordings } from './studies.js';

export const recordings: Record<string, Recording> = {
  ...methodRecordings,
  ...baselineRecordings,
  ...runRecordings,
  ...judgeRecordings,
  ...studyRecordings,
  ...batchingRecordings,
  ...jobRecordings,
};
