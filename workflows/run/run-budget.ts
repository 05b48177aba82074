/** Decides by the costs of a run whether its budget allows another question. Pure. */
import { dollars } from '../../core/dollars.js';
import type { PooledCosts, Spending } from '../../core/run/costs.js';
import type { CostsSeen, Pause } from '../../core/run/run.js';
import { roundUsd } from '../../core/usage.js';

/** The known and expected costs of a run, in US dollars, on which its budget depends. */
export interface RunCosts {
  spending: Spending;
  /** Known costs of questions, those of earlier starts included. */
  seen: CostsSeen;
  /** Expected costs of the first questions' calls only. */
  pooled?: PooledCosts | undefined;
  /**
   * Maximum number of model calls of a question; only if its calls go by batch and report their
   * costs.
   */
  callsEach?: number | undefined;
  /** Set if the run belongs to a study, in which several runs show the cost of a question. */
  inStudy?: boolean | undefined;
}

/** Maximum number of questions under way before the first has ended and shown its cost. */
const BEFORE_THE_FIRST = 4;

/** Tolerance in US dollars: far below any price, far above rounding errors of binary fractions. */
const ROUNDING = 1e-9;

/**
 * Returns whether another question may begin ("begin"), has to wait for one of those under way
 * ("wait"), or the run has to pause; then it returns the pause.
 *
 * Each question under way is expected to cost the mean of those that ended. So the window narrows
 * towards the end of the budget, and a run exceeds its budget by at most what its last questions
 * cost above the mean. Until a question has ended, only a few begin, to show the cost. If calls go
 * by batch, the first call in the pool shows it.
 *
 * @param budgetUsd In US dollars; null for a run without a budget.
 * @param running Number of questions under way.
 */
export function budgetGate(
  costs: RunCosts,
  budgetUsd: number | null,
  running: number,
): 'begin' | 'wait' | Pause {
  const { usd, unpriced } = costs.spending;
  if (budgetUsd === null) return 'begin';
  if (unpriced > 0) return { reason: 'priceUnknown', message: priceUnknownText(unpriced) };
  const each = questionUsd(costs);
  if (each === null) {
    const first = reportsCost(costs) || costs.inStudy ? 1 : BEFORE_THE_FIRST;
    return running < first ? 'begin' : 'wait';
  }
  if (isWithinBudget(usd + each * (running + 1), budgetUsd)) return 'begin';
  if (running > 0) return 'wait';
  // Expected costs of pooled calls pause nothing: one question has to show the real cost.
  if (costs.seen.questions === 0) return 'begin';
  const why = spentText(costs.spending, budgetUsd, each);
  return { reason: 'budget', message: `${why}. Set a larger one and resume.` };
}

/** Returns whether a sum in US dollars is within a budget, up to rounding errors. */
export function isWithinBudget(usd: number, budgetUsd: number): boolean {
  return usd <= budgetUsd + ROUNDING;
}

/**
 * Returns the expected cost of the questions under way, each from its start to its end, in US
 * dollars in all; null if unknown.
 */
export function expectedUsd(costs: RunCosts, running: number): number | null {
  const each = questionUsd(costs);
  return each === null ? null : each * running;
}

/**
 * Returns whether a question that begins now should report the expected cost of its calls to the
 * run: if the run has a budget, its calls go by batch and report their costs, no cost of a
 * question is known, and fewer than four are under way.
 */
export function shouldReportCost(
  costs: RunCosts,
  budgetUsd: number | null,
  running: number,
): boolean {
  const isUnknown = costs.seen.questions === 0 && running < BEFORE_THE_FIRST;
  return budgetUsd !== null && reportsCost(costs) && isUnknown;
}

/**
 * Returns the expected cost of one question, in US dollars: the mean of the known costs of
 * questions, those of earlier starts included. Before one is known, in a run whose calls go by
 * batch, the mean expected cost of the calls that wait for a batch, times the maximum number of
 * calls of a question. Null if unknown.
 */
export function questionUsd({
  seen,
  pooled,
  callsEach = 0,
}: Omit<RunCosts, 'spending'>): number | null {
  if (seen.questions > 0) return roundUsd(seen.usd / seen.questions);
  return pooled ? (pooled.usd / pooled.calls) * callsEach : null;
}

function reportsCost({ callsEach = 0 }: RunCosts): boolean {
  return callsEach > 0;
}

/**
 * Returns the pause of a run that had spent its budget, with a new message after the budget was
 * changed, and another reason if the budget now needs an unknown price. It still lasts until a
 * person resumes the run.
 */
export function pauseAfterChange(costs: RunCosts, budgetUsd: number | null, pause: Pause): Pause {
  const gate = budgetGate(costs, budgetUsd, 0);
  if (typeof gate !== 'string') return { ...pause, ...gate };
  return { ...pause, message: budgetChangedText(budgetUsd) };
}

/**
 * Returns the pause of a run whose endpoint reports a cost although its models were assumed to be
 * free.
 *
 * @param statedUsd The reported cost of a question, in US dollars.
 */
export function notFreePause(models: readonly string[], statedUsd: number): Pause {
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

/**
 * Returns the message of a run or study that had spent its budget, after the budget was changed.
 *
 * @param budgetUsd The new budget in US dollars; null if there is none any more.
 */
export function budgetChangedText(budgetUsd: number | null): string {
  const change =
    budgetUsd === null ? 'There is no budget any more' : `It is ${dollars(budgetUsd)} now`;
  return `The budget was spent. ${change}: resume to go on.`;
}

function priceUnknownText(unpriced: number): string {
  return (
    `The cost of ${questions(unpriced)} is not known, so the budget cannot be kept. Put the price of ` +
    'the model into the file that DURABLE_RAG_PRICES names, restart the workers and resume; ' +
    'or, if its provider does not report tokens, lift the budget and resume.'
  );
}

function spentText({ usd, priced }: Spending, budgetUsd: number, each: number): string {
  const budget = `The budget of ${dollars(budgetUsd)} is`;
  const one = `costs about ${dollars(each)}`;
  if (usd === 0 && priced === 0) return `${budget} too small for a question, which ${one}`;
  const over = usd - budgetUsd;
  const rest = over > 0 ? `${dollars(over)} over it` : `and one more ${one}`;
  return `${budget} spent: ${dollars(usd)} for ${questions(priced)}, ${rest}`;
}

function questions(count: number): string {
  return count === 1 ? '1 question' : `${count} questions`;
}
