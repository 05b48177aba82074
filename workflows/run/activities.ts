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

/** A cancelled run does not wait for a store that is away. */
export const { recordStopped } = proxyActivities<RunActivities>({
  scheduleToCloseTimeout: '30s',
});
