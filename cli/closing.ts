/**
 * Passes a resource to `work` once it is open, returns the result of `work`, and closes the
 * resource whether or not `work` fails. If `opening` resolves to undefined, nothing is closed.
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
