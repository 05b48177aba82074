import { describe, expect, it } from 'vitest';
import { addCost, addQuestionCost, NO_SPENDING, type Spending } from '../../../core/run/costs.js';
import { NO_USAGE } from '../../../core/usage.js';
import {
  budgetGate,
  expectedUsd,
  type RunCosts,
  shouldReportCost,
} from '../../../workflows/run/run-budget.js';

const spent = (...costs: (number | null)[]): Spending =>
  costs.reduce<Spending>((spending, cost) => addCost(spending, cost), NO_SPENDING);

/** A run of which these questions have ended. */
const ended = (...costs: (number | null)[]): Pick<RunCosts, 'spending' | 'seen'> => ({
  spending: spent(...costs),
  seen: costs.reduce<RunCosts['seen']>(
    (seen, costUsd) => addQuestionCost(seen, { usage: { ...NO_USAGE, calls: 1, costUsd } }),
    { usd: 0, questions: 0 },
  ),
});

describe('budgetGate', () => {
  const byBatch: RunCosts = { ...ended(), callsEach: 7 };
  // Seven calls of $0.002 each: $0.014 a question.
  const pooled = { ...byBatch, pooled: { usd: 0.006, calls: 3 } };
  const tenths = (count: number) => ended(...new Array<number>(count).fill(0.1));
  const binary = new Array<number>(9).fill(0.001).reduce((sum, cost) => sum + cost, 0);

  const inBinary = {
    spending: { usd: binary, priced: 9, unpriced: 0 },
    seen: { usd: binary, questions: 9 },
  };
  const seen = { usd: 0.3, questions: 3 };

  it.each<[why: string, RunCosts, usd: number | null, begins: number[], waits: number[]]>([
    ['there is no budget, and no price', ended(1000, null), null, [499], []],
    ['it is not known what one costs', ended(), 0.01, [0, 3], [4, 100]],
    ['by batch, none of its calls is in the pool', byBatch, 0.1, [0], [1, 4]],
    ['by batch, it is known what calls in the pool cost', pooled, 0.1, [1, 6], [7, 100]],
    ['by batch, not even one fits: it may be cheaper', pooled, 0.01, [0], [1]],
    ['by batch, one has ended', { ...pooled, ...ended(0.001) }, 0.1, [98], [99]],
    ['by batch, nothing tells how many calls', { ...ended(), callsEach: 0 }, 0.1, [3], [4]],
    ['little is spent', ended(0.05, 0.15), 1, [7], [8]],
    ['more is spent', tenths(6), 1, [3], [4]],
    ['one more fits', tenths(9), 1, [0], [1]],
    // $0.009 and $0.001 are more than $0.01 where they are added up without care.
    ['fractions are binary', inBinary, 0.01, [0], []],
    ['an earlier start knows what one costs', { ...ended(), seen }, 0.45, [0, 3], [4, 100]],
    ['a study has several runs show it', { ...ended(), inStudy: true }, 0.45, [0], [1, 4]],
  ])('lets so many begin where %s', (_, costs, usd, begins, waits) => {
    const verdicts = (running: number[]) => running.map((now) => budgetGate(costs, usd, now));
    expect([verdicts(begins), verdicts(waits)]).toEqual([
      begins.map(() => 'begin'),
      waits.map(() => 'wait'),
    ]);
  });

  it('adds costs up with care for binary fractions', () => {
    expect(binary + 0.001).toBeGreaterThan(0.01);
    expect(spent(...new Array<number>(9).fill(0.001)).usd).toBe(0.009);
  });

  it('has the first few questions by batch tell what their calls cost, and only with a budget', () => {
    expect([0, 3, 4].map((running) => shouldReportCost(byBatch, 1, running))).toEqual([
      true,
      true,
      false,
    ]);
    expect(shouldReportCost(byBatch, null, 0)).toBe(false);
    expect(shouldReportCost({ ...byBatch, ...ended(0.1) }, 1, 0)).toBe(false);
    expect(shouldReportCost(ended(), 1, 0)).toBe(false);
  });

  it('pauses once nothing is under way and no more fits, and says what was spent', () => {
    expect(budgetGate(ended(0.3, 0.3, 0.3), 1, 0)).toEqual({
      reason: 'budget',
      message:
        'The budget of $1.00 is spent: $0.90 for 3 questions, and one more costs about $0.30. Set a larger one and resume.',
    });
    expect(budgetGate(ended(0.004), 0.001, 0)).toMatchObject({
      message: expect.stringContaining(
        'The budget of $0.001 is spent: $0.004 for 1 question, $0.003 over it.',
      ),
    });
  });

  it('pauses before it asks where an earlier start knows that not even one question fits', () => {
    expect(budgetGate({ ...ended(), seen }, 0.05, 0)).toEqual({
      reason: 'budget',
      message:
        'The budget of $0.05 is too small for a question, which costs about $0.10. Set a larger one and resume.',
    });
  });

  it('learns what a question costs from what it paid and what came from the cache', () => {
    const calls = { ...NO_USAGE, calls: 2 };
    const cached = { ...calls, cachedCalls: 2, costUsd: 0, savedUsd: 0.2 };
    expect(addQuestionCost(seen, { usage: { ...calls, costUsd: 0.1 } }).usd).toBeCloseTo(0.4, 9);
    expect(addQuestionCost(seen, { usage: cached })).toEqual({ usd: 0.5, questions: 4 });
    const failure = { type: 'ContentRefused', message: 'No.', step: null };
    for (const shows of [
      { usage: { ...cached, savedUsd: null } },
      { usage: { ...calls, costUsd: null } },
      { usage: NO_USAGE, failure },
    ]) {
      expect(addQuestionCost(seen, shows)).toBe(seen);
    }
  });

  it('pauses where a price is not known, questions under way or not', () => {
    for (const running of [0, 3]) {
      expect(budgetGate(ended(0.1, null), 1, running)).toMatchObject({
        reason: 'priceUnknown',
        message: expect.stringMatching(/cost of 1 question is not known.* DURABLE_RAG_PRICES/),
      });
    }
  });

  it('counts what was paid for a question that will go on, but not as a question', () => {
    expect(addCost(spent(0.2), 0.1, 0)).toEqual({
      usd: expect.closeTo(0.3),
      priced: 1,
      unpriced: 0,
    });
    expect(addCost(spent(0.2), null, 0)).toEqual({ usd: 0.2, priced: 1, unpriced: 1 });
  });

  it('expects of each question under way what the others took, once one has ended', () => {
    expect([expectedUsd(ended(), 4), expectedUsd(byBatch, 1)]).toEqual([null, null]);
    expect(expectedUsd(pooled, 7)).toBeCloseTo(0.098, 9);
    expect(expectedUsd(ended(0.1, 0.3), 5)).toBeCloseTo(1, 9);
    expect(expectedUsd(ended(0.1), 0)).toBe(0);
  });
});
