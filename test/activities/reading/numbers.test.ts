import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../../steps/reading/numbers.js';
import { decorations, hostile } from './support.js';

const read = (text: string, { cut = false, choice = false } = {}) =>
  readNumbers({ text, cut }, { most: 20, choice });

const lists: [string, number[] | undefined][] = [
  ['[2] > [1] > [3]', [2, 1, 3]],
  ['2 1 3', [2, 1, 3]],
  ['Passage 2, then passage 1.', [2, 1]],
  ['The order is 2, 1 and 3.', [2, 1, 3]],
  ['Selected passages: [2], [1]', [2, 1]],
  ['[2] is the best of all.', [2]],
  ['14', [14]],
  ['', undefined],
  ['None', undefined],
  ['Of the 20 passages, 3 name the year.', undefined],
  ['It was in 1876.', undefined],
  ['About 5% of them.', undefined],
  ['Passage 2 does not help.', undefined],
];

describe('readNumbers', () => {
  it.each(lists)('reads %j', (text, numbers) => {
    expect(read(text)?.numbers).toEqual(numbers);
  });

  it.each(lists)('reads %j the same however it is decorated', (output, numbers) => {
    for (const text of decorations(output)) expect(read(text)?.numbers, text).toEqual(numbers);
  });

  it('says whether the list was cut', () => {
    expect(read('[2] > [1]', { cut: true })).toEqual({ numbers: [2, 1], whole: false });
    expect(read('[2] > [1], since it', { cut: true })).toEqual({ numbers: [2, 1], whole: true });
    expect(read('2 > 1 > 1', { cut: true })).toEqual({ numbers: [2, 1], whole: false });
  });

  it('reads ranges where they are asked for', () => {
    expect(read('2-4', { choice: true })?.numbers).toEqual([2, 3, 4]);
    expect(read('2-4')?.numbers).toEqual([2, 4]);
  });

  it('reads back every order, and of a cut one its beginning', () => {
    const orders = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 2 });
    const marks = fc.constantFrom(' ', ', ', ' > ', '\n');
    fc.assert(
      fc.property(orders, marks, fc.nat(), (order, mark, at) => {
        for (const one of [(n: number) => `[${n}]`, String, (n: number) => `Passage ${n}`]) {
          const text = order.map(one).join(mark);
          expect(read(text)?.numbers).toEqual(order);
          const cut = read(text.slice(0, at % text.length), { cut: true });
          expect(cut?.numbers ?? []).toEqual(order.slice(0, cut?.numbers.length ?? 0));
          expect(cut?.whole ?? false).toBe(false);
        }
        const listed = order.map((n, i) => `${i + 1}. Passage ${n}`).join('\n');
        expect(read(listed)?.numbers).toEqual(order);
      }),
    );
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['[1] > ', 'passage 1 ', '1 and ', '- 1\n', '1 - ', 'order: 1 '])) {
      read(text);
      read(text, { cut: true, choice: true });
    }
  });
});
