import { describe, expect, it } from 'vitest';
import {
  addCost,
  budgetGate,
  expectedUsd,
  isToTell,
  nothingSpent,
  type RunCosts,
  type Spending,
} from '../../../workflows/run/budget.js';

const spent = (...costs: (number | null)[]): Spending =>
  costs.reduce<Spending>((spending, cost) => addCost(spending, cost), nothingSpent);

/** A run of which these questions have ended. */
const ended = (...costs: (number | null)[]) => ({ spending: spent(...costs) });

describe('budgetGate', () => {
  it('lets everything begin without a budget, whether prices are known or not', () => {
    expect(budgetGate(ended(1000, null), null, 499)).toBe('begin');
  });

  it('lets a few begin before it is known what one costs', () => {
    expect([0, 3, 4, 100].map((running) => budgetGate(ended(), 0.01, running))).toEqual([
      'begin',
      'begin',
      'wait',
      'wait',
    ]);
  });

  describe('by batch, before one has ended', () => {
    const byBatch = { ...ended(), callsEach: 7 };
    // Seven calls of $0.002 each.
    const pooled = { usd: 0.006, calls: 3 };
    const gate = (usd: number, running: number, costs: RunCosts = { ...byBatch, pooled }) =>
      budgetGate(costs, usd, running);

    it('lets one begin, and no other until one of its calls is in the pool', () => {
      expect([0, 1, 4].map((running) => gate(0.1, running, byBatch))).toEqual([
        ...['begin', 'wait', 'wait'],
      ]);
    });

    it('expects every call to cost what those in the pool may cost at most', () => {
      // 0.014 each: seven fit into 0.1.
      expect([1, 6, 7, 100].map((running) => gate(0.1, running))).toEqual([
        ...['begin', 'begin', 'wait', 'wait'],
      ]);
      expect(expectedUsd({ ...byBatch, pooled }, 7)).toBeCloseTo(0.098, 9);
      expect(expectedUsd(byBatch, 1)).toBeNull();
    });

    it('begins one where not even that fits: it may be cheaper than expected', () => {
      expect([0, 1].map((running) => gate(0.01, running))).toEqual(['begin', 'wait']);
    });

    it('goes by what questions cost as soon as one has ended', () => {
      const one = { ...ended(0.001), callsEach: 7, pooled };
      expect([98, 99].map((running) => gate(0.1, running, one))).toEqual(['begin', 'wait']);
    });

    it('lets a few begin where nothing tells how many calls there are', () => {
      for (const callsEach of [0, undefined]) {
        expect(gate(0.1, 3, { ...ended(), callsEach })).toBe('begin');
        expect(gate(0.1, 4, { ...ended(), callsEach })).toBe('wait');
      }
    });

    it('has the first few questions tell what their calls cost, and only with a budget', () => {
      expect([0, 3, 4].map((running) => isToTell(byBatch, 1, running))).toEqual([
        ...[true, true, false],
      ]);
      expect(isToTell(byBatch, null, 0)).toBe(false);
      expect(isToTell({ ...byBatch, ...ended(0.1) }, 1, 0)).toBe(false);
      expect(isToTell(ended(), 1, 0)).toBe(false);
    });
  });

  it('narrows the window as the budget comes to its end', () => {
    // 0.1 each on the mean, so what is left is for four, three, ... more.
    for (const [costs, most] of [
      [[0.05, 0.15], 8],
      [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 4],
      [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    ] as const) {
      expect(budgetGate(ended(...costs), 1, most - 1)).toBe('begin');
      expect(budgetGate(ended(...costs), 1, most)).toBe('wait');
    }
  });

  it('spends a budget to its last question in spite of binary fractions', () => {
    const usd = new Array<number>(9).fill(0.001).reduce((sum, cost) => sum + cost, 0);
    expect(usd + 0.001).toBeGreaterThan(0.01);
    expect(spent(...new Array<number>(9).fill(0.001)).usd).toBe(0.009);
    // Added up without care for them.
    const nine = { usd, priced: 9, unpriced: 0 };
    expect(budgetGate({ spending: nine }, 0.01, 0)).toBe('begin');
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
    expect(expectedUsd(ended(), 4)).toBeNull();
    expect(expectedUsd(ended(0.1, 0.3), 5)).toBeCloseTo(1, 9);
    expect(expectedUsd(ended(0.1), 0)).toBe(0);
  });
});
