/** Whether the budget of a run allows one more question. Pure. */
import { dollars } from '../dollars.js';
import type { Pause } from './batch.js';

/** What the questions of a run have cost so far; those whose price is not known stand apart. */
export interface Spending {
  usd: number;
  /** Questions that ended with a cost that is known. */
  priced: number;
  /** Costs that are not. */
  unpriced: number;
}

export const nothingSpent: Spending = { usd: 0, priced: 0, unpriced: 0 };

/** How many questions may be under way before the first one has ended and shown what it costs. */
const BEFORE_THE_FIRST = 4;

/** Far below any price, far above what binary fractions lose. */
const ROUNDING = 1e-9;

/**
 * The spending with one more cost in it; null where a price is not known.
 *
 * @param questions That ended with it; 0 for a part of what a question costs.
 */
export function addCost(
  { usd, priced, unpriced }: Spending,
  costUsd: number | null,
  questions = 1,
): Spending {
  return costUsd === null
    ? { usd, priced, unpriced: unpriced + 1 }
    : { usd: usd + costUsd, priced: priced + questions, unpriced };
}

/**
 * Says whether a question may begin beside those under way, or has to wait for one of them, or
 * that the run has to pause.
 *
 * Each question under way is expected to cost the mean of those that ended. So the window narrows
 * towards the end of the budget, and what is spent over it is at most what the last few questions
 * cost more than the mean.
 *
 * @param budgetUsd null for a run without a limit.
 * @param running Questions under way.
 */
export function budgetGate(
  { usd, priced, unpriced }: Spending,
  budgetUsd: number | null,
  running: number,
): 'begin' | 'wait' | Pause {
  if (budgetUsd === null) return 'begin';
  if (unpriced > 0) {
    return {
      reason: 'priceUnknown',
      message:
        `The cost of ${questions(unpriced)} is not known, so the budget cannot be kept. Put the price of ` +
        'the model into the file that DURABLE_RAG_PRICES names, restart the workers and resume; ' +
        'or lift the budget and resume.',
    };
  }
  if (priced === 0) return running < BEFORE_THE_FIRST ? 'begin' : 'wait';
  const mean = usd / priced;
  if (usd + mean * (running + 1) <= budgetUsd + ROUNDING) return 'begin';
  if (running > 0) return 'wait';
  return {
    reason: 'budget',
    message:
      `The budget of ${dollars(budgetUsd)} is spent: ${dollars(usd)} for ${questions(priced)}, ` +
      `${over(usd - budgetUsd, mean)}. Set a larger one and resume.`,
  };
}

/** What those under way are expected to cost, in US dollars; null before one has ended. */
export function expectedUsd({ usd, priced }: Spending, running: number): number | null {
  return priced === 0 ? null : (usd / priced) * running;
}

function over(difference: number, mean: number): string {
  return difference > 0
    ? `${dollars(difference)} over it`
    : `and one more costs about ${dollars(mean)}`;
}

function questions(count: number): string {
  return count === 1 ? '1 question' : `${count} questions`;
}
