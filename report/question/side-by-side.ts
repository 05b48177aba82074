/** Pairs the sections of a forked question with those of its parent run. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../../core/section.js';
import type { ForkPair } from '../../evaluation/runs/fork-accounts.js';

/** Sections of the parent and the fork with the same title; undefined if one has none. */
type Pair = [Section | undefined, Section | undefined];

/**
 * The sections in which a question's answer in a fork differs from that in its parent run, as
 * pairs [parent, fork]. Undefined stands for a section that only the other has.
 */
export interface SideBySide extends ForkPair {
  sections: Pair[];
}

/**
 * Returns the differing sections of two chains as pairs [parent, fork] of the same title, with the
 * positions of both runs; undefined stands for a section that only the other chain has. Equal
 * pairs, such as those before the step of the fork, are left out. Returns undefined if all are
 * equal.
 *
 * @param pair Positions of the fork and of its parent run.
 * @param before Sections of the parent run.
 * @param after Sections of the fork.
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
