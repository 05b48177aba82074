import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../../core/section.js';
import type { ForkPair } from '../../evaluation/runs/fork-accounts.js';

/** Sections of the parent and the fork with the same title; undefined if one has none. */
type Pair = [Section | undefined, Section | undefined];

/** The differing sections of a question in a fork and its parent run. */
export interface SideBySide extends ForkPair {
  sections: Pair[];
}

/**
 * Returns the sections of two chains paired by title, without equal pairs, which are those before
 * the step of the fork; undefined if the chains are equal.
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
