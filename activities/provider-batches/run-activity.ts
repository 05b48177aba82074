/** Runs the activities of a batch collector with heartbeats and typed failures. */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { applicationFailure } from '../runtime/retry-policy.js';

const HEARTBEAT_MS = 1000;

/**
 * Runs the work of an activity with a heartbeat every second that carries its progress, and returns
 * its result. A Failure is rethrown as an ApplicationFailure, which the server retries if a retry
 * can help; once the activity is cancelled, the cancellation is thrown instead.
 *
 * @param work Receives the cancellation signal, the progress of the previous attempt (undefined in
 * the first), and a function that sets its own progress.
 */
export async function withHeartbeats<T>(
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
