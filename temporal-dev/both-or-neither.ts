/** Obtains two things side by side. */
import type { FetchContext } from './fetch.js';

/** When one fails the other's download stops before the error goes up. */
export async function bothOrNeither<A, B>(
  context: FetchContext,
  first: (context: FetchContext) => Promise<A>,
  second: (context: FetchContext) => Promise<B>,
): Promise<[A, B]> {
  const failed = new AbortController();
  const signal =
    context.signal === undefined ? failed.signal : AbortSignal.any([context.signal, failed.signal]);
  const inside = { ...context, signal };
  const guard = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  const both = [guard(first(inside)), guard(second(inside))] as const;
  try {
    return await Promise.all(both);
  } finally {
    await Promise.allSettled(both);
  }
}
