/**
 * Computes the fewest and the most model calls and US dollars that a tune can take, before it
 * starts. Pure.
 */

import { type Candidate, jointCandidates } from '../../core/tune/candidates.js';
import { rungsOf } from './halves.js';
import { MAX_FINALISTS, promotedCount } from './search.js';

/** A number of model calls, and their cost in US dollars, null if a price is unknown. */
export interface Effort {
  calls: number;
  usd: number | null;
}

/**
 * The lowest and the highest effort (calls and US dollars) of a tune, of a part of it, or of a
 * question.
 */
export interface EffortBounds {
  least: Effort;
  most: Effort;
}

/**
 * A candidate with a single change, and the fewest and most model calls and US dollars (null if a
 * price is unknown) that it takes to ask it one question.
 */
export interface PlannedChange extends EffortBounds {
  candidate: Candidate;
}

/** The effort of no calls: 0 calls and $0. */
export const NO_EFFORT: Effort = { calls: 0, usd: 0 };

/** Returns the sum of two efforts; its cost is null if one of the costs is. */
export function addEffort(a: Effort, b: Effort): Effort {
  return { calls: a.calls + b.calls, usd: a.usd === null || b.usd === null ? null : a.usd + b.usd };
}

/** Returns an effort with calls and cost multiplied by a number; a cost of null stays null. */
export function timesEffort({ calls, usd }: Effort, times: number): Effort {
  return { calls: calls * times, usd: usd === null ? null : usd * times };
}

/**
 * Returns the lowest and highest effort (`least` and `most`, each a number of model calls and US
 * dollars, null if a price is unknown) of asking all candidates in the search on half A of the
 * questions, without the effort of the pipeline that is tuned. The number of candidates in each
 * round is known beforehand, but not which of them remain, and whether any are joined.
 *
 * @param each The single changes, each with the effort of one question.
 * @param questions Number of questions in half A.
 */
export function searchBounds(each: readonly PlannedChange[], questions: number): EffortBounds {
  let [least, most] = [NO_EFFORT, NO_EFFORT];
  let [before, left] = [0, each.length];
  for (const rung of rungsOf(questions)) {
    const more = rung - before;
    least = addEffort(least, timesEffort(dearest(each, 'least', left, -1), more));
    most = addEffort(most, timesEffort(dearest(each, 'most', left, 1), more));
    [before, left] = [rung, promotedCount(left)];
  }
  const joint = timesEffort(jointMost(each), questions);
  return { least, most: addEffort(most, joint) };
}

/**
 * Returns the highest effort (model calls and US dollars, null if a price is unknown) of the
 * confirmation on half B of the questions, without the effort of the pipeline that is tuned: that
 * of the three most expensive single changes, and of the joint candidates made of them.
 *
 * @param each The single changes, each with the effort of one question.
 * @param questions Number of questions in half B.
 */
export function confirmationMost(each: readonly PlannedChange[], questions: number): Effort {
  const singles = dearest(each, 'most', MAX_FINALISTS, 1);
  return timesEffort(addEffort(singles, jointMost(each)), questions);
}

/**
 * Returns the highest effort of one question of all joint candidates, each counted as the sum of
 * its changes.
 */
function jointMost(each: readonly PlannedChange[]): Effort {
  let sum = NO_EFFORT;
  // Two changes of the same setting cannot be joined.
  const longest =
    jointCandidates(each.map(({ candidate }) => candidate)).at(-1)?.changes.length ?? 0;
  for (let joined = 2; joined <= Math.min(MAX_FINALISTS, longest); joined++) {
    sum = addEffort(sum, dearest(each, 'most', joined, 1));
  }
  return sum;
}

/**
 * Returns the summed effort of the `count` most expensive candidates (sign 1), or of the cheapest
 * ones (-1).
 */
function dearest(
  each: readonly EffortBounds[],
  bound: keyof EffortBounds,
  count: number,
  sign: -1 | 1,
): Effort {
  const sumOf = (of: (effort: Effort) => number) =>
    each
      .map((one) => of(one[bound]))
      .sort((a, b) => sign * (b - a))
      .slice(0, count)
      .reduce((total, value) => total + value, 0);
  const isPriced = each.every((one) => one[bound].usd !== null);
  return {
    calls: sumOf(({ calls }) => calls),
    usd: isPriced ? sumOf(({ usd }) => usd ?? 0) : null,
  };
}
