/** A workflow that does nothing but change the limits, for tests. */
import { proxyActivities } from '@temporalio/workflow';
import type { RateActivities } from '../../workflows/activities/rates.js';
import type { Rates } from '../../workflows/queue/limits.js';

const { setRates, readRates } = proxyActivities<RateActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '10s',
});

/** Holds what it has asked for as long as it runs. */
export { queueLimits } from '../../workflows/queue/keep-limits.js';

/** Changes the limits, and says what was in force before and after. */
export async function changeRates(changes: Partial<Rates>): Promise<[Rates, Rates]> {
  const before = await readRates();
  await setRates(changes);
  return [before, await readRates()];
}
