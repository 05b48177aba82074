/** The activities of a batch, as its workflow calls them. */
import { proxyActivities } from '@temporalio/workflow';
import type { RateActivities } from '../activities/rates.js';
import type { BatchActivities } from '../activities/run.js';

export const {
  openRun,
  identifyRun: lookAtRun,
  readQuestions,
  recordAnswer,
  awaitEnded,
  setRates,
} = proxyActivities<BatchActivities & RateActivities>({
  startToCloseTimeout: '7h',
  heartbeatTimeout: '10s',
});

/** A run that is cancelled does not wait for a store that is away. */
export const { recordStopped } = proxyActivities<BatchActivities>({
  scheduleToCloseTimeout: '30s',
});
