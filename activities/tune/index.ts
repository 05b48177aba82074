/** The activities of a tune that cost no money. */
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { TuneActivities } from '../../workflows/activities/tune.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { FREE_ATTEMPTS } from '../runtime/searching.js';

/** Bounds long enough to outlast a store that is away. */
const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: FREE_ATTEMPTS, refusals: 1 };

/**
 * Returns the activities of a tune that cost no money. Each loads its code at its first call, since
 * planning a tune loads the algorithms of all methods.
 */
export function tuneActivities(ports: Ports): TuneActivities {
  return {
    checkTune: (tune) =>
      providerCall(BOUNDS, async () => {
        const { planTune } = await import('../../interpreters/plan-tune.js');
        return (await planTune(tune, ports)).confirmation.usd;
      }),
    advanceTune: (asked) =>
      providerCall(BOUNDS, async () => {
        const { advanceTune } = await import('./advance-tune.js');
        return advanceTune(asked, ports);
      }),
    readProposalTask: (tune) =>
      providerCall(BOUNDS, async () => {
        const { readProposalTask } = await import('./propose.js');
        return readProposalTask(tune, ports);
      }),
    keepProposals: (written) =>
      providerCall(BOUNDS, async () => {
        const { keepProposals } = await import('./propose.js');
        return keepProposals(written, ports);
      }),
  };
}
