/** The table of our search beside bm25s. */
import { expect, it } from 'vitest';
import { besideTable } from '../../bench/recall/beside-bm25s.js';

it('compares each part with the last row, by the last round', () => {
  const rows = [
    { name: 'ours', p50: [9, 8] },
    { name: 'bm25s 0.3', p50: [4, 2] },
  ];
  expect(besideTable(rows).split('\n')).toEqual([
    '| part | p50 of round 1, ms | p50 of round 2, ms | of bm25s 0.3 |',
    '| --- | ---: | ---: | ---: |',
    '| ours | 9.0 | 8.0 | 4.00 |',
    '| bm25s 0.3 | 4.0 | 2.0 | 1.00 |',
  ]);
});
