import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Charge, mostIn } from './rates.js';

it('counts what falls into one window, and not what begins the next', () => {
  const charges = [0, 400, 999, 1000, 1300, 5000].map((at) => ({ at, amount: 2 }));
  expect(mostIn(charges, 1000)).toBe(8);
  expect(mostIn(charges, 1)).toBe(2);
  expect(mostIn([], 1000)).toBe(0);
});

it('finds what trying every window finds, in any order', () => {
  const charge = fc.record({ at: fc.nat(100), amount: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(charge), fc.integer({ min: 1, max: 50 }), (charges, windowMs) => {
      expect(mostIn(charges, windowMs)).toBe(byTrying(charges, windowMs));
    }),
  );
});

function byTrying(charges: readonly Charge[], windowMs: number): number {
  const sums = charges.map(({ at: from }) =>
    charges
      .filter(({ at }) => at >= from && at < from + windowMs)
      .reduce((sum, { amount }) => sum + amount, 0),
  );
  return Math.max(0, ...sums);
}
