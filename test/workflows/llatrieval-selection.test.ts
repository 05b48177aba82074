import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  namedDocuments,
  nextWindow,
  selectSupporting,
  unseen,
} from '../../workflows/llatrieval/progressive-selection.js';

describe('selectSupporting', () => {
  /** k = 3; D is a b c, or what is there of it; the window is x y z. */
  const selections: [string[], string[], number[], string[]][] = [
    [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
      [1, 2, 3],
      ['a', 'b', 'c'],
    ], // D stays
    [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
      [6, 2, 4],
      ['z', 'b', 'x'],
    ], // in the order named
    [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
      [4, 4, 4],
      ['x', 'a', 'b'],
    ], // repeated: filled from D
    [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
      [9, 0, 5],
      ['y', 'a', 'b'],
    ], // unknown: dropped
    [['a', 'b', 'c'], ['x', 'y', 'z'], [], ['a', 'b', 'c']], // nothing readable: D stays
    [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
      [4, 5, 6, 1],
      ['x', 'y', 'z'],
    ], // more than k: the first k
    [['a', 'b', 'c'], ['x'], [4], ['x', 'a', 'b']], // a window that is not full
    [[], ['x', 'y', 'z'], [3], ['z', 'x', 'y']], // no D yet: filled in retriever order
    [['a'], ['x', 'y', 'z'], [4], ['z', 'a', 'x']], // D first, then the window
    [['a'], ['x'], [2], ['x', 'a']], // fewer than k in all
  ];
  it.each(selections)(
    'D %j, window %j, named %j gives %j',
    (current, candidates, named, chosen) => {
      expect(selectSupporting(current, candidates, named, 3)).toEqual(chosen);
    },
  );

  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 30 });
  const anySelection = fc
    .tuple(
      ids,
      fc.nat(),
      fc.array(fc.integer({ min: -3, max: 40 })),
      fc.integer({ min: 1, max: 9 }),
    )
    .map(([all, at, named, k]) => {
      const split = Math.min(at % (all.length + 1), k);
      return { current: all.slice(0, split), candidates: all.slice(split), named, k };
    });

  it('never repeats a document, invents one, or has fewer than it could', () => {
    fc.assert(
      fc.property(anySelection, ({ current, candidates, named, k }) => {
        const chosen = selectSupporting(current, candidates, named, k);
        const shown = [...current, ...candidates];
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen.every((id) => shown.includes(id))).toBe(true);
        expect(chosen).toHaveLength(Math.min(k, shown.length));
      }),
    );
  });

  it('loses no document named, and one of D only to a named one', () => {
    fc.assert(
      fc.property(anySelection, ({ current, candidates, named, k }) => {
        const chosen = selectSupporting(current, candidates, named, k);
        const wanted = namedDocuments([...current, ...candidates], named);
        expect(chosen.slice(0, wanted.length)).toEqual(wanted.slice(0, k));
        const lost = current.filter((id) => !chosen.includes(id));
        const gained = chosen.filter((id) => !current.includes(id));
        expect(gained.length).toBeGreaterThanOrEqual(lost.length);
        if (lost.length > 0) expect(gained.every((id) => wanted.includes(id))).toBe(true);
      }),
    );
  });
});

describe('nextWindow', () => {
  it('shows every candidate once, w at a time with D among them', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 8 }), fc.nat(12), (count, k, more) => {
        const window = k + 1 + more;
        const all = Array.from({ length: count }, (_, i) => `p${i}`);
        let current: string[] = [];
        const shown: string[] = [];
        for (let waiting = all; waiting.length > 0; ) {
          const next = nextWindow(current, waiting, window);
          expect(current.length + next.length).toBeLessThanOrEqual(window);
          waiting = waiting.slice(next.length);
          shown.push(...next);
          current = selectSupporting(current, next, [], k);
        }
        expect(shown).toEqual(all);
      }),
    );
  });
});

describe('unseen', () => {
  it('leaves out what was seen before, and repetitions', () => {
    const found = ['a', 'b', 'a', 'c', 'b', 'd'].map((id, rank) => ({ id, rank }));
    expect(unseen(found, new Set(['c', 'e']))).toEqual([
      { id: 'a', rank: 0 },
      { id: 'b', rank: 1 },
      { id: 'd', rank: 5 },
    ]);
  });
});
