/** Runs an activity of the collector: with heartbeats, and with failures by type. */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { applicationFailure } from '../runtime/retry-policy.js';

const HEARTBEAT_MS = 1000;

/**
 * Runs the work with heartbeats, which carry its progress. A Failure is retried as long as a retry
 * can help; the workflow decides what follows.
 *
 * @param work Gets the progress of the previous attempt, and a function that stores its own.
 */
export async function steadily<T>(
  work: (signal: AbortSignal, before: unknown, carry: (soFar: unknown) => void) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { cancellationSignal, info } = context;
  let soFar: unknown = info.heartbeatDetails;
  const beat = setInterval(() => context.heartbeat(soFar), HEARTBEAT_MS);
  try {
    return await work(cancellationSignal, info.heartbeatDetails, (now) => {
      soFar = now;
    });
  } catch (error) {
    cancellationSignal.throwIfAborted();
    clearInterval(beat);
    context.heartbeat(soFar);
    throw error instanceof Failure ? applicationFailure(error) : error;
  } finally {
    clearInterval(beat);
  }
}
