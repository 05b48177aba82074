/** Works with what is opened, if anything is, and closes it, whatever comes of the work. */
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
