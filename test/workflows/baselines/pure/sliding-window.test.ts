import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permute, slidingWindows } from '../../../../workflows/methods/baselines/sliding-window.js';

describe('slidingWindows', () => {
  it.each<[count: number, size: number, stride: number, windows: string]>([
    // 8 passages, w = 4, s = 2: 5-8, 3-6, 1-4.
    [8, 4, 2, '4-8 2-6 0-4'],
    // The foremost window is smaller where the strides do not come out even.
    [9, 4, 2, '5-9 3-7 1-5 0-3'],
    [5, 4, 1, '1-5 0-4'],
    [50, 20, 10, '30-50 20-40 10-30 0-20'],
    [20, 20, 10, '0-20'],
    [3, 20, 10, '0-3'],
    [2, 20, 10, '0-2'],
    [1, 20, 10, ''],
    [0, 20, 10, ''],
  ])('of %i documents, %i at a time, %i apart', (count, size, stride, windows) => {
    const found = slidingWindows(count, size, stride);
    expect(found.map(({ start, end }) => `${start}-${end}`).join(' ')).toBe(windows);
  });
});

describe('permute', () => {
  const letters = ['a', 'b', 'c', 'd', 'e'];
  const middle = { start: 1, end: 4 };
  it.each<[ranking: number[], order: string]>([
    [[2, 0, 1], 'adbce'],
    [[2], 'adbce'],
    [[], 'abcde'],
    [[1, 1, 2, 1], 'acdbe'],
    [[7, -1, 0.5, Number.NaN, 2], 'adbce'],
  ])('by %j', (ranking, order) => {
    expect(permute(letters, middle, ranking).join('')).toBe(order);
  });

  it('never loses or repeats a document, whatever the rankings of all windows are', () => {
    const rankings = fc.array(fc.array(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 30 }))));
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 2, max: 25 }),
        fc.nat(),
        rankings,
        (count, size, step, all) => {
          const documents = Array.from({ length: count }, (_, i) => `d${i}`);
          const stride = 1 + (step % (size - 1));
          const order = slidingWindows(count, size, stride).reduce(
            (before, window, i) => permute(before, window, all[i % all.length] ?? []),
            documents,
          );
          expect([...order].sort()).toEqual([...documents].sort());
        },
      ),
    );
  });

  it('brings the best documents to the front with perfect rankings of each window', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 50 }), (scores) => {
        const [size, stride] = [20, 10];
        const order = slidingWindows(scores.length, size, stride).reduce((before, window) => {
          const shown = before.slice(window.start, window.end);
          const ranking = [...shown.keys()].sort((a, b) => (shown[b] ?? 0) - (shown[a] ?? 0));
          return permute(before, window, ranking);
        }, scores);
        // As many as two windows have in common are carried all the way.
        const best = [...scores].sort((a, b) => b - a).slice(0, size - stride);
        expect(order.slice(0, size - stride)).toEqual(best);
      }),
    );
  });
});
