/**
 * Waits for work on the Temporal server, and reports when the server is lost and when it is back.
 */
import { watchServer } from '../workers/server-watch.js';
import type { CliContext } from './context.js';
import { untilInterrupted } from './interrupt.js';
import type { RunningStack } from './local.js';
import type { Session } from './session.js';

export interface Awaited extends Pick<Session, 'askServer'> {
  stack: Pick<RunningStack, 'lost'> | undefined;
}

/**
 * Waits for the work.
 *
 * @throws what the work throws; Interrupted if the person presses Ctrl-C; Failure Connection if a
 * part of this process's own stack ends.
 */
export async function awaitEnded<T>(
  work: Promise<T>,
  { stack, askServer }: Awaited,
  { signal, reporter }: Pick<CliContext, 'signal' | 'reporter'>,
): Promise<T> {
  // A worker of this process reports a lost server itself.
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
