/** Reciprocal rank fusion: known cases, and what holds for any lists. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PassageRef } from '../../core/vocabulary.js';
import { fuseByRank, interleave } from '../../retrieval/fuse.js';

const list = (ids: string): PassageRef[] =>
  [...ids].map((id, rank) => ({ id, title: id.toUpperCase(), score: 100 - rank }));
const fused = (...lists: string[]) =>
  fuseByRank(lists.map(list))
    .map(({ id }) => id)
    .join('');

test.each<[string, string[], string]>([
  ['nothing', [], ''],
  ['empty lists', ['', ''], ''],
  ['one list stays as it is', ['cab'], 'cab'],
  ['what both have comes first', ['abc', 'cde'], 'cabde'],
  ['two good ranks beat one best', ['axb', 'cxd'], 'xacbd'],
  ['on a tie the better rank, then the earlier list', ['ab', 'ba'], 'ab'],
  ['lists that share nothing take turns', ['ab', 'xy'], 'axby'],
  ['a repeat counts at its first place', ['aab', 'b'], 'ba'],
])('%s', (_, lists, expected) => {
  expect(fused(...lists)).toBe(expected);
});

test('the score is the sum of the reciprocal ranks', () => {
  expect(fuseByRank([list('ab'), list('b')])).toEqual([
    { id: 'b', title: 'B', score: 1 / 62 + 1 / 61 },
    { id: 'a', title: 'A', score: 1 / 61 },
  ]);
});

test.each<[string, string[], string]>([
  ['nothing', [], ''],
  ['one list stays as it is', ['cab'], 'cab'],
  ['the first of each, then the second of each', ['abc', 'xy', 'p'], 'axpbyc'],
  ['a passage of several lists stands at its first place', ['abc', 'cad'], 'acbd'],
  ['a repeat counts at its first place', ['aab', 'x'], 'axb'],
])('in turns: %s', (_, lists, expected) => {
  const joined = interleave(lists.map(list));
  expect(joined.map(({ id }) => id).join('')).toBe(expected);
});

describe('for any lists', () => {
  const ids = fc
    .array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 })
    .map((all) => all.join(''));
  const lists = fc.array(ids, { maxLength: 4 });

  test('nothing is lost and nothing repeated', () => {
    fc.assert(
      fc.property(lists, (some) => {
        expect([...fused(...some)].sort()).toEqual([...new Set(some.join(''))].sort());
      }),
    );
  });
});
