import type { PassageRef } from '../core/vocabulary.js';

/** The constant of the fusion (Cormack et al., SIGIR 2009). */
const RANK_CONSTANT = 60;

/**
 * Joins lists by reciprocal rank fusion: a passage scores the sum of 1 / (60 + rank) over its
 * lists. On a tie the better rank wins, then the earlier list. A repeated passage counts at its
 * first place.
 */
export function fuse(lists: readonly (readonly PassageRef[])[]): PassageRef[] {
  const fused = new Map<string, PassageRef>();
  const distinct = lists.map(withoutRepeats);
  const longest = Math.max(0, ...distinct.map((list) => list.length));
  for (let rank = 1; rank <= longest; rank++) {
    for (const list of distinct) {
      const ref = list[rank - 1];
      if (ref === undefined) continue;
      const before = fused.get(ref.id) ?? { ...ref, score: 0 };
      fused.set(ref.id, { ...before, score: before.score + 1 / (RANK_CONSTANT + rank) });
    }
  }
  // They are in the order that breaks ties, which sorting keeps.
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

function withoutRepeats(list: readonly PassageRef[]): PassageRef[] {
  const firsts = new Map<string, PassageRef>();
  for (const ref of list) if (!firsts.has(ref.id)) firsts.set(ref.id, ref);
  return [...firsts.values()];
}
