/** LLatrieval's progressive selection: which documents are shown, and which stay. Pure. */

/** Returns the next window: D, and as many new candidates as there is room for. */
export function nextWindow<T>(
  supporting: readonly string[],
  waiting: readonly T[],
  window: number,
): T[] {
  return waiting.slice(0, Math.max(1, window - supporting.length));
}

/** Returns the passages that were not found before, each once, in retriever order. */
export function unseen<P extends { id: string }>(
  found: readonly P[],
  seen: { has(id: string): boolean },
): P[] {
  const taken = new Set<string>();
  return found.filter(({ id }) => {
    const isNew = !seen.has(id) && !taken.has(id);
    taken.add(id);
    return isNew;
  });
}

/** Returns the named documents, from 1; unknown and repeated ones are dropped. */
export function namedDocuments(shown: readonly string[], named: readonly number[]): string[] {
  return [...new Set(named.flatMap((number) => shown[number - 1] ?? []))];
}

/**
 * Returns D after a selection, at most k documents: those named, in that order; if they are fewer
 * than k, then the earlier D in its order, then the candidates in retriever order.
 *
 * @param supporting D before it, shown first.
 * @param candidates the new ones, shown after them.
 * @param named identifiers as the model named them.
 */
export function selectSupporting(
  supporting: readonly string[],
  candidates: readonly string[],
  named: readonly number[],
  k: number,
): string[] {
  const shown = [...supporting, ...candidates];
  return [...new Set([...namedDocuments(shown, named), ...shown])].slice(0, k);
}
