/** How an activity of the collector runs: with a heartbeat, and its failures by name. */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { applicationFailure } from '../runtime/application-failure.js';

const HEARTBEAT_MS = 1000;

/**
 * Runs the work with a heartbeat, which carries how far it has come. A Failure is retried for as long
 * as a retry can help; what comes of it in the end is the workflow's to decide.
 *
 * @param work Is given what the attempt before has carried, and how to carry something itself.
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
