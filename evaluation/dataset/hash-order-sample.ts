/** Samples and shuffles by a hash of seed and id, so that the result does not depend on the input's order. */
import { sha256Of } from '../../core/sha256.js';

/**
 * Returns a set of `wanted` ids, or of all if there are fewer: those with the lowest sha256 of
 * `seed|id`, lowest first. A larger sample with the same seed contains the smaller one; adding or
 * removing an id changes at most one other. At most `2 * wanted` ids are in memory.
 */
export async function hashOrderSample(
  ids: AsyncIterable<string> | Iterable<string>,
  wanted: number,
  seed: string | number,
): Promise<Set<string>> {
  let lowest: { id: string; key: string }[] = [];
  const cut = () => {
    lowest = lowest.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, wanted);
  };
  for await (const id of ids) {
    lowest.push({ id, key: keyOf(id, seed) });
    if (lowest.length >= 2 * wanted) cut();
  }
  cut();
  return new Set(lowest.map(({ id }) => id));
}

/**
 * Returns the items in a pseudo-random order that depends only on the seed and their ids, in a new
 * array.
 */
export function inHashOrder<T extends { id: string }>(
  items: readonly T[],
  seed: string | number,
): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item.id, seed) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

function keyOf(id: string, seed: string | number): string {
  return sha256Of(`${seed}|${id}`);
}
