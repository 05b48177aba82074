/** Decides whether the budget of a run allows another question. Pure. */
import { dollars } from '../../core/dollars.js';
import type { CostsSeen, Pause, Tally } from '../../core/run/run.js';
import { exact, fullUsd, isUsed, type Usage } from '../../core/usage.js';

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

/** Known costs of a run. */
export interface RunCosts {
  spending: Spending;
  /** Known costs of questions, those of earlier starts included. */
  seen: CostsSeen;
  /** Expected costs of the first questions' calls only. */
  pooled?: PooledCosts | undefined;
  /** Most model calls of a question; only if its calls go by batch and report their costs. */
  callsEach?: number | undefined;
  /** Set if the run belongs to a study, in which several runs show the cost of a question. */
  inStudy?: boolean | undefined;
}

/** Most questions under way before the first has ended and shown its cost. */
const BEFORE_THE_FIRST = 4;

/** Tolerance in US dollars: far below any price, far above rounding errors of binary fractions. */
const ROUNDING = 1e-9;

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
export function seeCost(costs: CostsSeen, { usage, failure }: EndedQuestion): CostsSeen {
  const usd = fullUsd(usage);
  if (usd === null || (failure && !isUsed(usage))) return costs;
  return addCosts(costs, { usd, questions: 1 });
}

/** The part of an ended question that shows its cost. */
type EndedQuestion = Pick<Tally, 'usage' | 'failure'>;

/** Returns the costs with those of judging an answer, whose question is already counted. */
export function seeJudged(costs: CostsSeen, usage: Usage): CostsSeen {
  return addCosts(costs, { usd: fullUsd(usage) ?? 0, questions: 0 });
}

export function addCosts(a: CostsSeen, b: CostsSeen): CostsSeen {
  return { usd: exact(a.usd + b.usd), questions: a.questions + b.questions };
}

/**
 * Decides whether a question may begin besides those under way, has to wait for one of them, or the
 * run has to pause.
 *
 * Each question under way is expected to cost the mean of those that ended. So the window narrows
 * towards the end of the budget, and a run exceeds its budget by at most what its last questions
 * cost above the mean. Until a question has ended, only a few begin, to show the cost. If calls go
 * by batch, the first call in the pool shows it.
 *
 * @param budgetUsd Null for a run without a budget.
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
  // Expected costs of pooled calls pause nothing: one question has to show the real cost.
  if (costs.seen.questions === 0) return 'begin';
  const isSpent = usd > 0 || priced > 0;
  return {
    reason: 'budget',
    message:
      `${isSpent ? spentText(costs.spending, budgetUsd, each) : tooSmallText(budgetUsd, each)}. ` +
      'Set a larger one and resume.',
  };
}

/** Tells whether a sum of costs is within a budget, up to rounding errors. */
export function fits(usd: number, budgetUsd: number): boolean {
  return usd <= budgetUsd + ROUNDING;
}

function spentText({ usd, priced }: Spending, budgetUsd: number, each: number): string {
  const spent = `The budget of ${dollars(budgetUsd)} is spent: ${dollars(usd)}`;
  return `${spent} for ${questions(priced)}, ${over(usd - budgetUsd, each)}`;
}

/** Returns the message that a budget is too small for any question. */
export function tooSmallText(budgetUsd: number, each: number): string {
  return `The budget of ${dollars(budgetUsd)} is too small for a question, which costs about ${dollars(each)}`;
}

/** Returns the pause of a run whose endpoint reports a cost although it was assumed to be free. */
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

/** Returns the pause under a changed budget; it lasts until a person resumes the run. */
export function pauseAfterChange(costs: RunCosts, budgetUsd: number | null, pause: Pause): Pause {
  const gate = budgetGate(costs, budgetUsd, 0);
  if (typeof gate !== 'string') return { ...pause, ...gate };
  const now =
    budgetUsd === null ? 'There is no budget any more' : `It is ${dollars(budgetUsd)} now`;
  return { ...pause, message: `The budget was spent. ${now}: resume to go on.` };
}

/** Returns the expected cost of the questions under way, in US dollars; null if unknown. */
export function expectedUsd(costs: RunCosts, running: number): number | null {
  const each = questionUsd(costs);
  return each === null ? null : each * running;
}

/** Tells whether a question that begins now should report the expected cost of its calls. */
export function shouldReportCost(
  costs: RunCosts,
  budgetUsd: number | null,
  running: number,
): boolean {
  const isUnknown = costs.seen.questions === 0 && running < BEFORE_THE_FIRST;
  return budgetUsd !== null && isTold(costs) && isUnknown;
}

/**
 * Returns a question's expected cost, in US dollars: the mean so far, or by its pooled calls; null
 * if unknown.
 */
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
