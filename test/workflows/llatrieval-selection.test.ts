import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  namedDocuments,
  nextWindow,
  selectSupporting,
  unseen,
} from '../../workflows/methods/llatrieval/progressive-selection.js';

describe('selectSupporting', () => {
  /** k = 3; D is a b c, or what is there of it; the window is x y z. */
  it.each<[current: string, candidates: string, named: number[], chosen: string, why: string]>([
    ['abc', 'xyz', [1, 2, 3], 'abc', 'D stays'],
    ['abc', 'xyz', [6, 2, 4], 'zbx', 'in the order named'],
    ['abc', 'xyz', [4, 4, 4], 'xab', 'repeated: filled from D'],
    ['abc', 'xyz', [9, 0, 5], 'yab', 'unknown: dropped'],
    ['abc', 'xyz', [], 'abc', 'nothing readable: D stays'],
    ['abc', 'xyz', [4, 5, 6, 1], 'xyz', 'more than k: the first k'],
    ['abc', 'x', [4], 'xab', 'a window that is not full'],
    ['', 'xyz', [3], 'zxy', 'no D yet: filled in retriever order'],
    ['a', 'xyz', [4], 'zax', 'D first, then the window'],
    ['a', 'x', [2], 'xa', 'fewer than k in all'],
  ])('D %s, window %s, named %j gives %s: %s', (current, candidates, named, chosen) => {
    expect(selectSupporting([...current], [...candidates], named, 3)).toEqual([...chosen]);
  });

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
