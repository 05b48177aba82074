import { setTimeout as sleep } from 'node:timers/promises';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { Ended } from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';

const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 1000, refusals: 1 };

/** Between two looks; longer where a look at all of them takes long. */
const LOOK_MS = 500;
const SHARE = 4;

/**
 * Waits until at least one of the workflows has ended.
 *
 * A parent that has continued as new is not told of the children it had before: it has to look.
 */
export async function awaitEnded(
  workflowIds: readonly string[],
  { watch }: Pick<Ports, 'watch'>,
): Promise<Ended[]> {
  return providerCall(BOUNDS, async (signal) => {
    for (;;) {
      const began = Date.now();
      const ended = await watch.ended(workflowIds, signal);
      if (ended.length > 0) return ended;
      await sleep(Math.max(LOOK_MS, SHARE * (Date.now() - began)), undefined, { signal });
    }
  });
}
