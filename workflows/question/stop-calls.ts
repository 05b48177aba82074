import { CancellationScope, TemporalFailure } from '@temporalio/workflow';
import type { Ledger } from './ledger.js';

/**
 * Cancels the calls that are open, and waits until each has told the ledger what it may cost.
 *
 * @param error What ends the question. A fault in our own code holds it instead, as it is.
 */
export async function stopCalls(
  calls: CancellationScope,
  ledger: Ledger,
  error: unknown,
): Promise<void> {
  if (!(error instanceof TemporalFailure)) return;
  calls.cancel();
  await CancellationScope.nonCancellable(() => ledger.idle());
}
