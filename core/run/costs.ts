/** Adds up what the questions of a run cost, and what they show of the cost of another. Pure. */
import { exact, fullUsd, isUsed, type Usage } from '../usage.js';
import type { CostsSeen, Tally } from './run.js';

/** Costs of a run's questions so far; questions with an unknown price are counted apart. */
export interface Spending {
  usd: number;
  /** Questions that ended with a known cost. */
  priced: number;
  /** Questions that ended with an unknown cost. */
  unpriced: number;
}

export const nothingSpent: Spending = { usd: 0, priced: 0, unpriced: 0 };

/** Expected costs of calls that wait for a batch, before a question has ended. */
export interface PooledCosts {
  usd: number;
  calls: number;
}

/**
 * Returns the spending with another cost added; null if its price is unknown.
 *
 * @param questions Questions that ended with this cost; 0 for a part of a question's cost.
 */
export function addCost(
  { usd, priced, unpriced }: Spending,
  costUsd: number | null,
  questions = 1,
): Spending {
  return costUsd === null
    ? { usd, priced, unpriced: unpriced + 1 }
    : { usd: exact(usd + costUsd), priced: priced + questions, unpriced };
}

/**
 * Returns the costs with those of another question that has ended.
 *
 * Cached responses count at their original cost, since the next question may have to pay for one. A
 * question with an unknown cost shows nothing, and neither does one that failed before its first
 * call.
 */
export function seeCost(
  costs: CostsSeen,
  { usage, failure }: Pick<Tally, 'failure' | 'usage'>,
): CostsSeen {
  const usd = fullUsd(usage);
  if (usd === null || (failure && !isUsed(usage))) return costs;
  return addCosts(costs, { usd, questions: 1 });
}

/** Returns the costs with those of judging an answer, whose question is already counted. */
export function seeJudged(costs: CostsSeen, usage: Usage): CostsSeen {
  return addCosts(costs, { usd: fullUsd(usage) ?? 0, questions: 0 });
}

export function addCosts(a: CostsSeen, b: CostsSeen): CostsSeen {
  return { usd: exact(a.usd + b.usd), questions: a.questions + b.questions };
}
