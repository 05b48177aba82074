/**
 * Sums the costs of a run's questions, and the costs from which the next question's is estimated.
 * Pure.
 */
import { fullUsd, hasUsage, roundUsd, type Usage } from '../usage.js';
import type { CostsSeen, Tally } from './run.js';

/**
 * The costs of a run so far in US dollars, with the numbers of questions of known and of unknown
 * cost.
 */
export interface Spending {
  /** Sum of the known costs, in US dollars. */
  usd: number;
  /** Number of questions that ended with a known cost. */
  priced: number;
  /** Number of ended questions, and parts of questions, with an unknown cost. */
  unpriced: number;
}

/** The costs of a run before its first question: 0 US dollars for no questions. */
export const NO_SPENDING: Spending = { usd: 0, priced: 0, unpriced: 0 };

/**
 * The summed expected cost in US dollars of calls that wait for a batch, and the number of these
 * calls.
 */
export interface PooledCosts {
  /** Sum in US dollars. */
  usd: number;
  calls: number;
}

/**
 * Returns the costs of a run with another cost added. An unknown cost is counted and leaves the sum
 * unchanged.
 *
 * @param costUsd Cost in US dollars; null if a price is unknown.
 * @param questions Number of questions that ended with this cost; 0 for a part of a question's
 * cost.
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
 * Returns the observed costs with the cost of an ended question added.
 *
 * Cached responses count at their original cost, since the next question may have to pay. The
 * observed costs stay unchanged for a question of unknown cost, and for one that failed before its
 * first call.
 */
export function addQuestionCost(
  costs: CostsSeen,
  { usage, failure }: Pick<Tally, 'failure' | 'usage'>,
): CostsSeen {
  const usd = fullUsd(usage);
  if (usd === null || (failure && !hasUsage(usage))) return costs;
  return addCosts(costs, { usd, questions: 1 });
}

/**
 * Returns the observed costs with the cost of judging an answer added, cached responses included;
 * its question is already counted. An unknown cost counts as 0.
 */
export function addJudgeCost(costs: CostsSeen, usage: Usage): CostsSeen {
  return addCosts(costs, { usd: fullUsd(usage) ?? 0, questions: 0 });
}

/**
 * Returns the sum of two observed costs: of their US dollars, and of their numbers of questions.
 */
export function addCosts(a: CostsSeen, b: CostsSeen): CostsSeen {
  return { usd: roundUsd(a.usd + b.usd), questions: a.questions + b.questions };
}
