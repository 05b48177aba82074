/** Runs all; the first that fails stops the others, and is thrown when they have ended. */
export async function together<T extends readonly unknown[]>(
  outer: AbortSignal | undefined,
  works: { readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
): Promise<T> {
  const failed = new AbortController();
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const running = works.map((work) =>
    work(signal).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  try {
    return (await Promise.all(running)) as unknown as T;
  } finally {
    await Promise.allSettled(running);
  }
}
