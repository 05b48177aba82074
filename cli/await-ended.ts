/** Waits for what goes on at the Temporal server, and says when that goes away and when it is back. */
import { watchServer } from '../workers/server-watch.js';
import type { CliContext } from './context.js';
import { untilInterrupted } from './interrupt.js';
import type { RunningStack } from './local.js';
import type { Session } from './session.js';

export interface Awaited extends Pick<Session, 'askServer'> {
  stack: Pick<RunningStack, 'lost'> | undefined;
}

/**
 * @throws what the work throws; Interrupted where the person leaves; Failure Connection where a part
 *   of a stack of this process ends.
 */
export async function awaitEnded<T>(
  work: Promise<T>,
  { stack, askServer }: Awaited,
  { signal, reporter }: Pick<CliContext, 'signal' | 'reporter'>,
): Promise<T> {
  // A worker of this process says it by itself.
  if (stack) return untilInterrupted(Promise.race([work, stack.lost]), signal);
  const endWatch = watchServer({
    ask: askServer,
    warn: reporter.warn,
    meanwhile: 'This command waits for it, and what is under way goes on once it is back.',
  });
  try {
    return await untilInterrupted(work, signal);
  } finally {
    endWatch();
  }
}
