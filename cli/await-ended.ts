/** Waits for work on the Temporal server, and reports when the server is unreachable and when it is back. */
import { watchServer } from '../workers/server-watch.js';
import type { CliContext } from './context.js';
import { untilInterrupted } from './interrupt.js';
import type { RunningStack } from './local.js';
import type { Session } from './session.js';

/**
 * The Temporal server on which work runs: a function that pings it, and the local stack if this
 * process started it.
 */
export interface AwaitedServer extends Pick<Session, 'pingServer'> {
  stack: Pick<RunningStack, 'lost'> | undefined;
}

/**
 * Waits for work on the Temporal server and returns its result. Warns while a server that this
 * process did not start does not answer.
 *
 * @throws The error of the work; Interrupted after Ctrl-C; Failure Connection if a part of this
 * process's own stack ends.
 */
export async function awaitEnded<T>(
  work: Promise<T>,
  { stack, pingServer }: AwaitedServer,
  { signal, reporter }: Pick<CliContext, 'signal' | 'reporter'>,
): Promise<T> {
  // A worker of this process reports a lost server itself.
  if (stack) return untilInterrupted(Promise.race([work, stack.lost]), signal);
  const endWatch = watchServer({
    ask: pingServer,
    warn: reporter.warn,
    meanwhile: 'This command waits for it, and running work continues when it is back.',
  });
  try {
    return await untilInterrupted(work, signal);
  } finally {
    endWatch();
  }
}
