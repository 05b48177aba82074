import type { Context } from '@temporalio/activity';
import { cancellationOf } from './outlasting.js';
import type { QuestionWatch } from './server-ports.js';

/**
 * Fires when nobody wants the answer any more: the activity is cancelled, its workflow has ended, or
 * the worker stops. Not where the server took this attempt for dead, since the next one waits for
 * its answer.
 */
export function unwanted(context: Context, watch: Pick<QuestionWatch, 'isRunning'>): AbortSignal {
  const cancellation = cancellationOf(context);
  const unwanted = new AbortController();
  const decide = async () => {
    if (!(await isAwaited(context, watch))) unwanted.abort(cancellation.reason);
  };
  if (cancellation.aborted) void decide();
  else cancellation.addEventListener('abort', () => void decide(), { once: true });
  return unwanted.signal;
}

/** Whether there is, or will be, another attempt. */
async function isAwaited(
  { cancellationDetails, info }: Context,
  watch: Pick<QuestionWatch, 'isRunning'>,
): Promise<boolean> {
  const { notFound, timedOut, cancelRequested } = cancellationDetails ?? {};
  if (cancelRequested || !(notFound || timedOut) || !info.workflowExecution) return false;
  // A server that cannot say is away, and comes back with the question.
  return watch.isRunning(info.workflowExecution).catch(() => true);
}
