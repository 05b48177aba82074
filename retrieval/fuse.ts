import { distinctPassages } from '../core/passages-read.js';
import type { PassageRef } from '../core/vocabulary.js';

/** Constant of reciprocal rank fusion (Cormack et al., SIGIR 2009). */
const RANK_CONSTANT = 60;

/**
 * Merges ranked lists of references to passages by reciprocal rank fusion, and returns the
 * references to all distinct passages, best first. A passage's score is the sum of 1 / (60 + rank)
 * over its lists. On a tie the better rank wins, then the earlier list.
 */
export function fuseByRank(lists: readonly (readonly PassageRef[])[]): PassageRef[] {
  const fused = new Map<string, PassageRef>();
  for (const { ref, rank } of byRank(lists)) {
    const before = fused.get(ref.id) ?? { ...ref, score: 0 };
    fused.set(ref.id, { ...before, score: before.score + 1 / (RANK_CONSTANT + rank) });
  }
  // The order breaks ties, and sorting keeps it.
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

/**
 * Merges ranked lists of references to passages by turns, and returns the references to all
 * distinct passages: the first of each list, then the second of each. A passage of several lists
 * is at its first position, with its score there.
 */
export function interleave(lists: readonly (readonly PassageRef[])[]): PassageRef[] {
  return distinctPassages(byRank(lists).map(({ ref }) => ref));
}

/** Returns the passages of all lists with their ranks, from 1: the first of each list first. */
function byRank(lists: readonly (readonly PassageRef[])[]): { ref: PassageRef; rank: number }[] {
  const ranked = lists.flatMap((list) =>
    distinctPassages(list).map((ref, i) => ({ ref, rank: i + 1 })),
  );
  return ranked.sort((a, b) => a.rank - b.rank);
}
