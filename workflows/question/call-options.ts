/** Timeouts and retries of activities; the same for questions and jobs. */
import { CALL_HEARTBEAT_SECONDS } from '../../core/call-defaults.js';
import type { CompleteInput } from '../../core/options/input.js';
import type { BatchTransport } from '../../core/provider-batches.js';
import { type Tier, timeoutAt } from '../../core/tier.js';

/**
 * Retries for what the activity itself cannot report: a worker that died or hangs. Failures of the
 * provider are retried until the activity gives up, and it names the delay (see providerCall).
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

/** Returns the changed options of a call that is not answered at once. */
export function waitingOptions(
  { callTimeoutSeconds }: Limits,
  tier: Tier,
  transport: BatchTransport | undefined,
) {
  const seconds = timeoutAt(tier, callTimeoutSeconds);
  if (!transport) {
    return tier === 'standard' ? {} : { startToCloseTimeout: startToClose(seconds) };
  }
  // The activity that puts the call into the pool sets a longer heartbeat timeout then.
  return { startToCloseTimeout: startToClose(transport.patienceSeconds + seconds) };
}

/** Returns the activity's timeout, for a worker that hangs; the call has its own. */
function startToClose(seconds: number): number {
  return (seconds + 30) * 1000;
}
