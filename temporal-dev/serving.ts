import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type ChildOptions, startChild } from './child.js';
import { SetupError } from './setup-error.js';

const POLL_MS = 100;

export interface ServingOptions extends ChildOptions {
  /** Asked again and again while the process runs. */
  isReady(): Promise<boolean>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * A process that serves; it is stopped again where it does not come up.
 *
 * @throws {SetupError} with the last lines of its log.
 * @throws the reason of `signal` when aborted.
 */
export async function startServing(options: ServingOptions): Promise<Child> {
  const { name, isReady, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const child = startChild(options);
  const failed = async (how: string) =>
    new SetupError(
      `${name} ${how}. The end of its log (${child.logFile}):\n${await child.lastLines()}`,
    );
  try {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      if (!child.running) throw await failed('ended as it started');
      if (await isReady()) return child;
      if (Date.now() > deadline) throw await failed(`did not serve within ${timeoutMs / 1000} s`);
      await sleep(POLL_MS);
    }
  } catch (error) {
    await child.stop();
    throw error;
  }
}
