/** How long activities may take and how they are tried again; the same for questions and jobs. */
import { CALL_HEARTBEAT_SECONDS } from '../../core/call-defaults.js';
import type { CompleteInput } from '../../core/options/input.js';
import type { BatchTransport } from '../../core/provider-batches.js';
import { type Tier, timeoutAt } from '../../core/tier.js';

/**
 * Failures of the provider are retried until the activity itself gives up, and it says when (see
 * providerCall). These intervals are for what it cannot speak for: a worker that died or hangs.
 */
const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

type Limits = CompleteInput<unknown>['limits'];

/** Returns the options of every activity that makes a call. */
export function callOptions({ callTimeoutSeconds }: Limits) {
  return {
    startToCloseTimeout: startToClose(callTimeoutSeconds),
    heartbeatTimeout: CALL_HEARTBEAT_SECONDS * 1000,
    retry: RETRY,
  } as const;
}

/** Returns what differs in the options of a call that is not answered at once. */
export function waitingOptions(
  { callTimeoutSeconds }: Limits,
  tier: Tier,
  transport: BatchTransport | undefined,
) {
  const seconds = timeoutAt(tier, callTimeoutSeconds);
  if (!transport) {
    return tier === 'standard' ? {} : { startToCloseTimeout: startToClose(seconds) };
  }
  // Whoever puts it into the pool sets a longer heartbeat timeout then.
  return { startToCloseTimeout: startToClose(transport.patienceSeconds + seconds) };
}

/** Returns the activity's timeout, for a worker that hangs; the call has its own. */
function startToClose(seconds: number): number {
  return (seconds + 30) * 1000;
}
