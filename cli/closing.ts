/**
 * Waits for a resource to open, passes it to `work`, and returns the result of `work`. Then closes
 * the resource, also if `work` fails. `work` gets undefined, and nothing is closed, if `opening`
 * resolves to undefined.
 *
 * @param opening Promise of the resource.
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
