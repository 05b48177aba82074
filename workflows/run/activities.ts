/** The activities of a run, as its workflow calls them. */
import { proxyActivities } from '@temporalio/workflow';
import type { RateActivities } from '../activities/rates.js';
import type { RunActivities } from '../activities/run.js';
import type { TuneActivities } from '../activities/tune.js';

export const {
  openRun,
  identifyRun: lookAtRun,
  readQuestions,
  recordAnswer,
  perfectOutput,
  awaitEnded,
  decideStudy,
  checkTune,
  advanceTune,
  setRates,
} = proxyActivities<RunActivities & RateActivities & TuneActivities>({
  startToCloseTimeout: '7h',
  heartbeatTimeout: '10s',
});

/**
 * Records usage that is part of no answer in the run's manifest. Gives up after 30 s, since a
 * cancelled run does not wait for an unavailable store.
 */
export const { recordStopped } = proxyActivities<RunActivities>({
  scheduleToCloseTimeout: '30s',
});
