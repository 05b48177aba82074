import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../../core/section.js';
import type { ForkPair } from '../../evaluation/runs/fork-accounts.js';

/** The places of a question's sections in the panels of two runs, in pairs that differ. */
export interface SideBySide extends ForkPair {
  /** Of the parent, then of the fork; null where it has none of this title. */
  sections: [number | null, number | null][];
}

/**
 * Pairs the sections of two stories by their titles and leaves out those that are equal, which is
 * all that comes before the step that is forked at.
 *
 * @returns undefined where the stories are the same.
 */
export function sideBySide(
  pair: ForkPair,
  before: readonly Section[],
  after: readonly Section[],
): SideBySide | undefined {
  const unpaired = new Set(after.keys());
  const sections = before.map((section, i): [number, number | null] => {
    const other = [...unpaired].find((at) => after[at]?.title === section.title);
    if (other === undefined) return [i, null];
    unpaired.delete(other);
    return [i, other];
  });
  const differing = sections.filter(
    ([one, other]) => other === null || !isDeepStrictEqual(before[one], after[other]),
  );
  const added = [...unpaired].map((other): [null, number] => [null, other]);
  const all = [...differing, ...added];
  return all.length === 0 ? undefined : { ...pair, sections: all };
}
