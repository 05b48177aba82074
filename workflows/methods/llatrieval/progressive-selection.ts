/** LLatrieval's progressive selection of supporting documents (D). Pure. */

/**
 * Returns the candidates that LLatrieval's model is shown next, besides the present supporting
 * documents: the first of the waiting ones, as many as fit into the window beside those, at least
 * one if any wait.
 */
export function nextWindow<T>(
  supporting: readonly string[],
  waiting: readonly T[],
  window: number,
): T[] {
  return waiting.slice(0, Math.max(1, window - supporting.length));
}

/**
 * Returns the passages whose ids are not in `seen`, without repeats, in retriever order. Leaves
 * `seen` as it is.
 */
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

/** Returns the documents with these numbers, counted from 1; unknown and repeated ones are dropped. */
export function namedDocuments(shown: readonly string[], named: readonly number[]): string[] {
  return [...new Set(named.flatMap((number) => shown[number - 1] ?? []))];
}

/**
 * Returns the ids of the supporting documents after a selection, at most k: the named ones in the
 * order named; if they are fewer than k, then the earlier supporting documents in their order, then
 * the candidates in retriever order.
 *
 * @param supporting Supporting documents before the selection, which the prompt shows first.
 * @param candidates New candidates, shown after them.
 * @param named Numbers that the model named, counted from 1.
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
