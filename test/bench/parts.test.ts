/** How pieces of work are timed one by one. */
import { expect, it } from 'vitest';
import { partsTable, timeParts } from '../../bench/parts.js';

it('does every part on every input, made ready apart, and counts none that warms up', async () => {
  const done: string[] = [];
  const part = (name: string) => ({
    name,
    async of(input: string) {
      done.push(`${name} ready for ${input}`);
      return () => done.push(`${name} of ${input}`);
    },
  });
  const times = await timeParts([part('a'), part('b')], ['one', 'two', 'three'], 2);
  expect(done.slice(0, 4)).toEqual(['a ready for one', 'a of one', 'b ready for one', 'b of one']);
  expect(done).toHaveLength(12);
  expect(times.map(({ name }) => name)).toEqual(['a', 'b']);
  // One input counts, so its time is the median and the shortest.
  for (const { p50, shortest } of times) expect(p50).toBe(shortest);
});

it('tells two digits of each figure', () => {
  const table = partsTable([{ name: 'a search', cpu: 6.549, p50: 3.6, shortest: 3 }]);
  expect(table).toContain('| a search | 6.55 | 3.60 | 3.00 |');
});
