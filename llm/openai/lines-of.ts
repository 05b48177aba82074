/**
 * Yields each line without its line end, also a last line that has none. Empty lines are left out.
 *
 * @param most Most characters of a line; the rest is skipped, so that one endless line does not
 * affect the others.
 * @throws The signal's reason between two lines.
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array> | null,
  signal: AbortSignal,
  most: number,
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, most);
    for (const line of lines) {
      signal.throwIfAborted();
      if (line.trim() !== '') yield line.slice(0, most);
    }
  }
  rest = (rest + decoder.decode()).slice(0, most);
  if (rest.trim() !== '') yield rest;
}
