/** A cache of recently used passages. */
import type { Passage } from '../core/vocabulary.js';

export type PassageCache = ReturnType<typeof passageCache>;

/**
 * Returns a cache of passages by id. @param size Maximum number of passages; the least recently
 * used are dropped.
 */
export function passageCache(size: number) {
  const kept = new Map<string, Passage>();

  /** A map keeps the order of insertion: the first was unused the longest. */
  function put(passage: Passage): void {
    kept.delete(passage.id);
    kept.set(passage.id, passage);
    const [oldest] = kept.keys();
    if (kept.size > size && oldest !== undefined) kept.delete(oldest);
  }

  return {
    put,
    get(id: string): Passage | undefined {
      const passage = kept.get(id);
      if (passage !== undefined) put(passage);
      return passage;
    },
  };
}
