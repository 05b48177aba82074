/** Which passages a question gets at a share of noise. */
import { expect, test } from 'vitest';
import { selectNoisyPassages } from '../../evaluation/noise.js';

const passage = (id: string, hasAnswer: boolean) => ({ id, hasAnswer });
const retrieved = ['n1', 'r1', 'n2', 'r2', 'n3', 'r3', 'r4', 'n4', 'r5', 'n5', 'n6'].map((id) =>
  passage(id, id.startsWith('r')),
);
const pool = Array.from({ length: 50 }, (_, i) => passage(`p${i}`, i % 10 === 0));
const idsOf = (chosen: ReturnType<typeof selectNoisyPassages>) =>
  chosen?.passages.map((one) => ('id' in one ? one.id : ''));

test.each([
  [0, ['r1', 'r2', 'r3', 'r4', 'r5']],
  [0.2, ['n1', 'r1', 'r2', 'r3', 'r4']],
  [0.6, ['n1', 'r1', 'n2', 'r2', 'n3']],
  [1, ['n1', 'n2', 'n3', 'n4', 'n5']],
])('top noise of %d keeps the order of rank', (ratio, ids) => {
  const chosen = selectNoisyPassages(retrieved, { ratio, count: 5, kind: 'top', seed: 0 });
  expect(idsOf(chosen)).toEqual(ids);
  expect(chosen?.complete).toBe(true);
});

test('random noise is drawn by the seed, from passages that are not the question’s', () => {
  const at = (seed: number) =>
    selectNoisyPassages(retrieved, {
      ratio: 0.6,
      count: 5,
      kind: 'random',
      seed,
      pool: [...pool, ...retrieved],
    } as const);
  const ids = idsOf(at(1)) ?? [];
  expect(ids.filter((id) => id.startsWith('r'))).toEqual(['r1', 'r2']);
  expect(ids.filter((id) => id.startsWith('p') && !id.endsWith('0'))).toHaveLength(3);
  expect(at(1)).toEqual(at(1));
  const draws = new Set(Array.from({ length: 20 }, (_, seed) => idsOf(at(seed))?.join()));
  expect(draws.size).toBeGreaterThan(15);
});

test('says when there are too few, and leaves questions without an answer out', () => {
  const options = { ratio: 0.2, count: 5, kind: 'top', seed: 0 } as const;
  const few = [passage('n', false), passage('r', true)];
  expect(selectNoisyPassages(few, options)).toEqual({ passages: few, complete: false });
  expect(selectNoisyPassages([passage('n', false)], options)).toBeUndefined();
});

test('refuses ratios that make no whole passages, and random noise from nothing', () => {
  const choose = (ratio: number, kind: 'top' | 'random') => () =>
    selectNoisyPassages(retrieved, { ratio, count: 5, kind, seed: 0 });
  for (const ratio of [0.5, -0.2, 1.2, NaN]) expect(choose(ratio, 'top')).toThrow(RangeError);
  expect(choose(0.2, 'random')).toThrow('pool');
});
