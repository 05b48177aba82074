/**
 * Passes an opened resource to `work`, returns its result, and closes the resource whether or not
 * the work fails. An undefined resource needs no closing.
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
