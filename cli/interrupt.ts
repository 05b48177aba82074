/** Ctrl-C: once stops in order, twice at once. */
import { once } from 'node:events';

/** Error thrown through the work under way after Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Milliseconds between checks whether the shell in which npx started the command has ended. */
const NOTICED_MS = 500;

/** A signal that aborts at the first SIGINT or SIGTERM; the second ends the process. */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted('Interrupted'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  if (process.env.npm_command === 'exec')
    onOrphaned(() => controller.abort(new Interrupted('Interrupted')));
  return controller.signal;
}

/**
 * Calls back when the parent process ends. npx passes SIGTERM only to the shell that it started.
 */
function onOrphaned(interrupt: () => void): void {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    interrupt();
  }, NOTICED_MS);
  watching.unref();
}

/** Resolves once the signal aborts. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Settles with `work`, or rejects once the signal aborts. */
export function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
