/**
 * Runs work for each item, a limited number at a time; stops at the first error. No work is running
 * once it has returned or thrown.
 */
export async function eachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let fault: { error: unknown } | undefined;
  try {
    for await (const item of items) {
      const run = work(item)
        .catch((error: unknown) => {
          fault ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
      if (running.size >= atOnce) await Promise.race(running);
      if (fault) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (fault) throw fault.error;
}
