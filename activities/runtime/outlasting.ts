/** Calls that go on while their worker stops, on a queue whose other activities do not. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '@temporalio/activity';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Fires when an activity is to end: when it is cancelled, or at the end of the grace it has. */
export function cancellationOf({ cancellationSignal }: Context): AbortSignal {
  return signals.getStore() ?? cancellationSignal;
}

/** Does the work of an activity, for which a stop of the worker means an end after `graceMs` only. */
export async function outlasting<T>(graceMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => ending.abort(cancellationSignal.reason);
  const cancelled = () => {
    if (context.cancellationDetails?.workerShutdown) timer = setTimeout(end, graceMs);
    else end();
  };
  if (cancellationSignal.aborted) cancelled();
  else cancellationSignal.addEventListener('abort', cancelled, { once: true });
  try {
    return await signals.run(ending.signal, work);
  } finally {
    clearTimeout(timer);
    cancellationSignal.removeEventListener('abort', cancelled);
  }
}
