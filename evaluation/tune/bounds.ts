/** What a tune takes at least and at most, before it is begun. Pure. */

import { type Candidate, jointCandidates } from '../../core/tune/candidates.js';
import { rungsOf } from './halves.js';
import { goingOn, MOST_FINALISTS } from './search.js';

/** Calls and US dollars; null if a price is not known. */
export interface Effort {
  calls: number;
  usd: number | null;
}

/** The least and the most that a tune can take. */
export interface Bounds {
  least: Effort;
  most: Effort;
}

/** A candidate with a single change, and the least and the most that a question of it takes. */
export interface PlannedChange extends Bounds {
  candidate: Candidate;
}

export const NOTHING: Effort = { calls: 0, usd: 0 };

export function addEffort(a: Effort, b: Effort): Effort {
  return { calls: a.calls + b.calls, usd: a.usd === null || b.usd === null ? null : a.usd + b.usd };
}

export function timesEffort({ calls, usd }: Effort, times: number): Effort {
  return { calls: calls * times, usd: usd === null ? null : usd * times };
}

/**
 * Returns what the search takes: how many candidates each rung asks is fixed, which of them is not.
 *
 * @param each What a question of each single change takes.
 * @param questions Of half A.
 */
export function searchBounds(each: readonly PlannedChange[], questions: number): Bounds {
  let [least, most] = [NOTHING, NOTHING];
  let [before, left] = [0, each.length];
  for (const rung of rungsOf(questions)) {
    const more = rung - before;
    least = addEffort(least, timesEffort(dearest(each, 'least', left, -1), more));
    most = addEffort(most, timesEffort(dearest(each, 'most', left, 1), more));
    [before, left] = [rung, goingOn(left)];
  }
  const joint = timesEffort(jointMost(each), questions);
  return { least, most: addEffort(most, joint) };
}

/**
 * Returns what the confirmation takes: nothing if there is no finalist, at most three of the dearest
 * single changes and the joint ones made of them.
 *
 * @param questions Of half B.
 */
export function confirmationMost(each: readonly PlannedChange[], questions: number): Effort {
  const singles = dearest(each, 'most', MOST_FINALISTS, 1);
  return timesEffort(addEffort(singles, jointMost(each)), questions);
}

/** What a question of the joint candidates takes at most: each as much as all that it joins. */
function jointMost(each: readonly PlannedChange[]): Effort {
  let sum = NOTHING;
  // Two changes of one thing cannot be joined.
  const longest =
    jointCandidates(each.map(({ candidate }) => candidate)).at(-1)?.changes.length ?? 0;
  for (let joined = 2; joined <= Math.min(MOST_FINALISTS, longest); joined++) {
    sum = addEffort(sum, dearest(each, 'most', joined, 1));
  }
  return sum;
}

/** Adds up the efforts of so many candidates: those that take most (1), or least (-1). */
function dearest(
  each: readonly Bounds[],
  bound: keyof Bounds,
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
