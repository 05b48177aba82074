/**
 * Runs a function for each item, at most `atOnce` at a time, and resolves once all calls have
 * ended. After the first error it starts at most one more, waits for those that are running, and
 * throws that error.
 */
export async function forEachLimited<T>(
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
