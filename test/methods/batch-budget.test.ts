import { describe, expect, it } from 'vitest';
import {
  addCost,
  budgetGate,
  expectedUsd,
  nothingSpent,
  type Spending,
} from '../../methods/batch/budget.js';

const spent = (...costs: (number | null)[]): Spending =>
  costs.reduce<Spending>((spending, cost) => addCost(spending, cost), nothingSpent);

describe('budgetGate', () => {
  it('lets everything begin without a budget, whether prices are known or not', () => {
    expect(budgetGate(spent(1000, null), null, 499)).toBe('begin');
  });

  it('lets a few begin before it is known what one costs', () => {
    expect([0, 3, 4, 100].map((running) => budgetGate(nothingSpent, 0.01, running))).toEqual([
      'begin',
      'begin',
      'wait',
      'wait',
    ]);
  });

  it('narrows the window as the budget comes to its end', () => {
    // 0.1 each on the mean, so what is left is for four, three, ... more.
    for (const [costs, most] of [
      [[0.05, 0.15], 8],
      [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 4],
      [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    ] as const) {
      expect(budgetGate(spent(...costs), 1, most - 1)).toBe('begin');
      expect(budgetGate(spent(...costs), 1, most)).toBe('wait');
    }
  });

  it('spends a budget to its last question in spite of binary fractions', () => {
    const nine = spent(...new Array<number>(9).fill(0.001));
    expect(nine.usd + 0.001).toBeGreaterThan(0.01);
    expect(budgetGate(nine, 0.01, 0)).toBe('begin');
  });

  it('pauses once nothing is under way and no more fits, and says what was spent', () => {
    expect(budgetGate(spent(0.3, 0.3, 0.3), 1, 0)).toEqual({
      reason: 'budget',
      message:
        'The budget of $1.00 is spent: $0.90 for 3 questions, and one more costs about $0.30. Set a larger one and resume.',
    });
    expect(budgetGate(spent(0.004), 0.001, 0)).toMatchObject({
      message: expect.stringContaining(
        'The budget of $0.001 is spent: $0.004 for 1 question, $0.003 over it.',
      ),
    });
  });

  it('pauses where a price is not known, questions under way or not', () => {
    for (const running of [0, 3]) {
      expect(budgetGate(spent(0.1, null), 1, running)).toMatchObject({
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
    expect(expectedUsd(spent(), 4)).toBeNull();
    expect(expectedUsd(spent(0.1, 0.3), 5)).toBeCloseTo(1, 9);
    expect(expectedUsd(spent(0.1), 0)).toBe(0);
  });
});
