/** Whether the budget of a run allows one more question. Pure. */
import { dollars } from '../../core/dollars.js';
import type { CostsSeen, Pause, Tally } from '../../core/run/run.js';
import { exact, fullUsd, isUsed, type Usage } from '../../core/usage.js';

/** What the questions of a run have cost so far; those whose price is not known stand apart. */
export interface Spending {
  usd: number;
  /** Questions that ended with a cost that is known. */
  priced: number;
  /** Costs that are not. */
  unpriced: number;
}

export const nothingSpent: Spending = { usd: 0, priced: 0, unpriced: 0 };

/** What calls that wait for a batch are expected to cost, before a question has ended. */
export interface PooledCosts {
  usd: number;
  calls: number;
}

/** What is known of the costs of a run. */
export interface RunCosts {
  spending: Spending;
  /** What questions have cost of which it is known, those of earlier starts included. */
  seen: CostsSeen;
  /** Only of calls of the first questions. */
  pooled?: PooledCosts | undefined;
  /** The most model calls of a question; only where its calls go by batch and tell what they cost. */
  callsEach?: number | undefined;
  /** The run is of a study, which has several runs show what a question costs. */
  inStudy?: boolean | undefined;
}

/** How many questions may be under way before the first one has ended and shown what it costs. */
const BEFORE_THE_FIRST = 4;

/** Far below any price, far above what binary fractions lose. */
const ROUNDING = 1e-9;

/**
 * Returns the spending with one more cost in it; null where a price is not known.
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
    : { usd: exact(usd + costUsd), priced: priced + questions, unpriced };
}

/**
 * Returns the costs with those of one more question that has ended.
 *
 * What came from the cache counts as what it had cost: the next question may have to pay for it. A
 * cost that is not known shows nothing, and neither does a question that failed before it asked.
 */
export function seeCost(costs: CostsSeen, { usage, failure }: EndedQuestion): CostsSeen {
  const usd = fullUsd(usage);
  if (usd === null || (failure && !isUsed(usage))) return costs;
  return addCosts(costs, { usd, questions: 1 });
}

/** What of a question that has ended shows what one costs. */
type EndedQuestion = Pick<Tally, 'usage' | 'failure'>;

/** Returns the costs with those of judging an answer, whose question they have. */
export function seeJudged(costs: CostsSeen, usage: Usage): CostsSeen {
  return addCosts(costs, { usd: fullUsd(usage) ?? 0, questions: 0 });
}

export function addCosts(a: CostsSeen, b: CostsSeen): CostsSeen {
  return { usd: exact(a.usd + b.usd), questions: a.questions + b.questions };
}

/**
 * Says whether a question may begin beside those under way, or has to wait for one of them, or
 * that the run has to pause.
 *
 * Each question under way is expected to cost the mean of those that ended. So the window narrows
 * towards the end of the budget. A run spends over its budget by at most what its last questions
 * cost above the mean. Before a question has ended, a few questions show the cost; where calls go
 * by batch, the first call in the pool shows it.
 *
 * @param budgetUsd null for a run without a limit.
 */
export function budgetGate(
  costs: RunCosts,
  budgetUsd: number | null,
  running: number,
): 'begin' | 'wait' | Pause {
  const { usd, priced, unpriced } = costs.spending;
  if (budgetUsd === null) return 'begin';
  if (unpriced > 0) {
    return {
      reason: 'priceUnknown',
      message:
        `The cost of ${questions(unpriced)} is not known, so the budget cannot be kept. Put the price of ` +
        'the model into the file that DURABLE_RAG_PRICES names, restart the workers and resume; ' +
        'or, where its provider does not report tokens, lift the budget and resume.',
    };
  }
  const each = questionUsd(costs);
  if (each === null) {
    const first = isTold(costs) || costs.inStudy ? 1 : BEFORE_THE_FIRST;
    return running < first ? 'begin' : 'wait';
  }
  if (fits(usd + each * (running + 1), budgetUsd)) return 'begin';
  if (running > 0) return 'wait';
  // What calls in a pool are expected to cost pauses nothing: one question has to show the real cost.
  if (costs.seen.questions === 0) return 'begin';
  const isSpent = usd > 0 || priced > 0;
  return {
    reason: 'budget',
    message:
      `${isSpent ? spentText(costs.spending, budgetUsd, each) : tooSmallText(budgetUsd, each)}. ` +
      'Set a larger one and resume.',
  };
}

/** Tells whether a sum of costs is within a budget, as exactly as binary fractions allow. */
export function fits(usd: number, budgetUsd: number): boolean {
  return usd <= budgetUsd + ROUNDING;
}

function spentText({ usd, priced }: Spending, budgetUsd: number, each: number): string {
  const spent = `The budget of ${dollars(budgetUsd)} is spent: ${dollars(usd)}`;
  return `${spent} for ${questions(priced)}, ${over(usd - budgetUsd, each)}`;
}

/** Says that nothing can be asked with a budget. */
export function tooSmallText(budgetUsd: number, each: number): string {
  return `The budget of ${dollars(budgetUsd)} is too small for a question, which costs about ${dollars(each)}`;
}

/** Returns the pause of a run whose endpoint states a cost, though it was assumed to be free. */
export function notFree(models: readonly string[], statedUsd: number): Pause {
  const names = models.join(', ');
  return {
    reason: 'notFree',
    message:
      `The endpoint of ${names} is on this machine and was assumed to be free, but states that a ` +
      `question cost ${dollars(statedUsd)}. Put the price of ${names} into the file that ` +
      'DURABLE_RAG_PRICES names, restart the workers and resume; or resume to count what the ' +
      'endpoint states.',
  };
}

/** Returns the pause under a changed budget; it lasts until a person resumes. */
export function pauseAfterChange(costs: RunCosts, budgetUsd: number | null, pause: Pause): Pause {
  const gate = budgetGate(costs, budgetUsd, 0);
  if (typeof gate !== 'string') return { ...pause, ...gate };
  const now =
    budgetUsd === null ? 'There is no budget any more' : `It is ${dollars(budgetUsd)} now`;
  return { ...pause, message: `The budget was spent. ${now}: resume to go on.` };
}

/** Returns the expected cost of what is under way, in dollars; null if unknown. */
export function expectedUsd(costs: RunCosts, running: number): number | null {
  const each = questionUsd(costs);
  return each === null ? null : each * running;
}

/** Tells whether a question that begins now should show what calls cost. */
export function isToTell(costs: RunCosts, budgetUsd: number | null, running: number): boolean {
  const isUnknown = costs.seen.questions === 0 && running < BEFORE_THE_FIRST;
  return budgetUsd !== null && isTold(costs) && isUnknown;
}

/** Returns a question's expected cost: the mean so far, or by its pooled calls; null if unknown. */
export function questionUsd({
  seen,
  pooled,
  callsEach = 0,
}: Omit<RunCosts, 'spending'>): number | null {
  if (seen.questions > 0) return exact(seen.usd / seen.questions);
  return pooled ? (pooled.usd / pooled.calls) * callsEach : null;
}

function isTold({ callsEach = 0 }: RunCosts): boolean {
  return callsEach > 0;
}

function over(difference: number, each: number): string {
  return difference > 0
    ? `${dollars(difference)} over it`
    : `and one more costs about ${dollars(each)}`;
}

function questions(count: number): string {
  return count === 1 ? '1 question' : `${count} questions`;
}
