import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../../core/section.js';
import type { ForkPair } from '../../evaluation/runs/fork-accounts.js';

/** Sections of the parent and the fork; undefined if one has none of this title. */
type Pair = [Section | undefined, Section | undefined];

/** The sections of a question in the panels of two runs, in pairs that differ. */
export interface SideBySide extends ForkPair {
  sections: Pair[];
}

/**
 * Pairs the sections of two chains by title and leaves out equal ones, which are those before the
 * step that is forked at.
 *
 * @returns Undefined if the chains are equal.
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
