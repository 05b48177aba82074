import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../../core/section.js';
import type { ForkPair } from '../../evaluation/runs/fork-accounts.js';

/** Of the parent, then of the fork; undefined where it has none of this title. */
type Pair = [Section | undefined, Section | undefined];

/** The sections of a question in the panels of two runs, in pairs that differ. */
export interface SideBySide extends ForkPair {
  sections: Pair[];
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
  const unpaired = [...after];
  const both = before.map((section): Pair => {
    const at = unpaired.findIndex(({ title }) => title === section.title);
    return [section, at === -1 ? undefined : unpaired.splice(at, 1)[0]];
  });
  const all = [...both, ...unpaired.map((added): Pair => [undefined, added])];
  const sections = all.filter(([one, other]) => !isDeepStrictEqual(one, other));
  return sections.length === 0 ? undefined : { ...pair, sections };
}
