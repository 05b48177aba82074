/**
 * Records which questions were used to confirm a claim of a tune, so that no other claim uses them.
 */
import { forEachLimited } from '../core/each-of.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * A store of the id of the claim that each question was used to confirm, as `confirmations`
 * returns it.
 */
export type Confirmations = ReturnType<typeof confirmations>;

/** Number of questions that are marked at a time. */
const AT_ONCE = 50;

/**
 * Returns a store that has, for each question, the id of the claim that it was used to confirm:
 * that the best candidates of a tune are better than the run that it started from. `claimOf`
 * returns the claim of a question, and `use` marks questions as used. A question may confirm only
 * one claim. It is identified by a hash of its content, which the caller computes.
 */
export function confirmations(store: KeyValueStore) {
  const keyOf = (content: string) => `used:${content}`;
  return {
    /** Returns the claim that a question was used for; undefined if it was not used yet. */
    claimOf: (content: string): Promise<string | undefined> => store.get(keyOf(content)),
    /**
     * Marks questions as used for a claim. A question that was used for another claim is left
     * unchanged.
     *
     * @returns The contents of the questions that were used for another claim.
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
