/**
 * Sums the costs of a run's questions, and the costs from which the next question's is estimated.
 * Pure.
 */
import { fullUsd, hasUsage, roundUsd, type Usage } from '../usage.js';
import type { CostsSeen, Tally } from './run.js';

/** The costs of a run so far, with counts of questions of known and unknown cost. */
export interface Spending {
  /** Sum of the known costs, in US dollars. */
  usd: number;
  /** Questions that ended with a known cost. */
  priced: number;
  /** Questions that ended with an unknown cost. */
  unpriced: number;
}

/** The costs of a run before its first question. */
export const nothingSpent: Spending = { usd: 0, priced: 0, unpriced: 0 };

/** The expected costs of calls that wait for a batch. */
export interface PooledCosts {
  /** Sum in US dollars. */
  usd: number;
  calls: number;
}

/**
 * Returns the costs of a run with another cost added. A cost of unknown price is counted, not
 * summed.
 *
 * @param costUsd Cost in US dollars; null if a price is unknown.
 * @param questions Questions that ended with this cost; 0 for a part of a question's cost.
 */
export function addCost(
  { usd, priced, unpriced }: Spending,
  costUsd: number | null,
  questions = 1,
): Spending {
  return costUsd === null
    ? { usd, priced, unpriced: unpriced + 1 }
    : { usd: roundUsd(usd + costUsd), priced: priced + questions, unpriced };
}

/**
 * Adds the cost of an ended question to the costs from which the next question's is estimated.
 *
 * Cached responses count at their original cost, since the next question may have to pay. A
 * question of unknown cost, or one that failed before its first call, is left out.
 */
export function addQuestionCost(
  costs: CostsSeen,
  { usage, failure }: Pick<Tally, 'failure' | 'usage'>,
): CostsSeen {
  const usd = fullUsd(usage);
  if (usd === null || (failure && !hasUsage(usage))) return costs;
  return addCosts(costs, { usd, questions: 1 });
}

/** Adds the cost of judging an answer to the observed costs; its question is already counted. */
export function addJudgeCost(costs: CostsSeen, usage: Usage): CostsSeen {
  return addCosts(costs, { usd: fullUsd(usage) ?? 0, questions: 0 });
}

export function addCosts(a: CostsSeen, b: CostsSeen): CostsSeen {
  return { usd: roundUsd(a.usd + b.usd), questions: a.questions + b.questions };
}
