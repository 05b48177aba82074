/** The lines of a body as they come. */

/**
 * Each line without its end, the last one also where it has none. Empty lines are left out.
 *
 * @throws the signal's reason between two lines.
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array> | null,
  signal: AbortSignal,
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      signal.throwIfAborted();
      if (line.trim() !== '') yield line;
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
