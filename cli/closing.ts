/**
 * Passes a resource to some work, if it could be opened, and closes it whether or not the work
 * fails.
 */
export async function closing<O extends { close(): Promise<void> } | undefined, T>(
  opening: Promise<O>,
  work: (opened: O) => T | Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened?.close();
  }
}
