/** Handles Ctrl-C: the first one stops in an orderly way, the second at once. */
import { once } from 'node:events';

/**
 * Error with which running work is rejected after Ctrl-C or SIGTERM, or under npx after the end of
 * the parent process.
 */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Milliseconds between checks whether the shell in which npx started the command has ended. */
const NOTICED_MS = 500;

/**
 * Installs handlers for SIGINT and SIGTERM, and returns a signal that aborts with Interrupted at
 * the first of them. The second one ends the process with exit code 130. Under npx, the signal also
 * aborts if the parent process ends.
 */
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
 * Calls `interrupt` when the parent process ends, since npx passes SIGTERM only to the shell that
 * it started.
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

/** Resolves once the signal has aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * Settles like `work`, or rejects with the signal's reason as soon as the signal aborts. `work`
 * itself is not stopped.
 */
export function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
