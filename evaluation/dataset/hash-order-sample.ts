/** Draws a sample of ids, or an order of them, that depends on the seed and the ids alone. */
import { sha256Of } from '../../core/sha256.js';

/**
 * Returns the `wanted` ids with the lowest sha256 of `seed|id`, or all if there are fewer, lowest
 * first. The order of the file does not matter. A larger sample of the same seed contains the
 * smaller. A question that is added or removed changes at most one other.
 *
 * Holds at most twice the sample in memory.
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

/** Returns items in an order that the seed and their ids alone decide, whatever theirs was. */
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
