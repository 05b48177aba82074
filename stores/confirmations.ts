/**
 * Records which questions were used to confirm a claim of a tune, so that no other claim uses them.
 */
import { forEachLimited } from '../core/each-of.js';
import type { KeyValueStore } from './key-value-store.js';

/** The records of questions that were used to confirm a claim: see `confirmations`. */
export type Confirmations = ReturnType<typeof confirmations>;

/** Number of questions that are marked at a time. */
const AT_ONCE = 50;

/** Returns the records of used questions in a store, by a hash of their content. */
export function confirmations(store: KeyValueStore) {
  const keyOf = (content: string) => `used:${content}`;
  return {
    /** Returns the claim that a question was used for; undefined if it is new. */
    claimOf: (content: string): Promise<string | undefined> => store.get(keyOf(content)),
    /**
     * Marks questions as used for a claim. One that was used for another stays as it is.
     *
     * @returns the contents of those.
     */
    async use(contents: Iterable<string>, claim: string): Promise<ReadonlySet<string>> {
      const others = new Set<string>();
      await forEachLimited(contents, AT_ONCE, async (content) => {
        const key = keyOf(content);
        if (await store.setIfAbsent(key, claim)) return;
        if ((await store.get(key)) !== claim) others.add(content);
      });
      return others;
    },
  };
}
