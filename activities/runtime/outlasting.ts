/** Lets calls outlast the stop of their worker, while other activities of its queue end at once. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '@temporalio/activity';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Returns the signal that ends an activity: its cancellation, or the end of its grace period. */
export function cancellationOf({ cancellationSignal }: Context): AbortSignal {
  return signals.getStore() ?? cancellationSignal;
}

/** Runs an activity that continues for up to `graceMs` after its worker stops. */
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
