/** The activities of a tune that cost no money. */
import type { TuneActivities } from '../../workflows/activities/tune.js';
import { FREE_BOUNDS } from '../runtime/free-calls.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';

/**
 * Returns the activities of a tune that cost no money, by name. Each loads its code at its first
 * call, since planning a tune loads the algorithms of all methods.
 */
export function tuneActivities(ports: Ports): TuneActivities {
  return {
    checkTune: (tune) =>
      providerCall(FREE_BOUNDS, async () => {
        const { planTune } = await import('../../interpreters/plan-tune.js');
        return (await planTune(tune, ports)).confirmation.usd;
      }),
    advanceTune: (asked) =>
      providerCall(FREE_BOUNDS, async () => {
        const { advanceTune } = await import('./advance-tune.js');
        return advanceTune(asked, ports);
      }),
    readProposalTask: (tune) =>
      providerCall(FREE_BOUNDS, async () => {
        const { readProposalTask } = await import('./propose.js');
        return readProposalTask(tune, ports);
      }),
    keepProposals: (written) =>
      providerCall(FREE_BOUNDS, async () => {
        const { keepProposals } = await import('./propose.js');
        return keepProposals(written, ports);
      }),
  };
}
