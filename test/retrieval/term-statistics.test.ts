/** What is counted of a corpus's terms. */
import { expect, test } from 'vitest';
import { readTermStatistics, TermCounter } from '../../retrieval/lancedb/term-statistics.js';
import { temporaryFolder } from '../support/folder.js';

test('counts passages, lengths, and passages with a term', async () => {
  const folder = await temporaryFolder();
  const terms = new TermCounter();
  expect(terms.add('The heron waits, and the heron dives.')).toBe(4);
  expect(terms.add('Herons')).toBe(1);
  await terms.write(folder);
  const statistics = await readTermStatistics(folder);
  expect(statistics).toMatchObject({ texts: 2, averageLength: 2.5 });
  expect(['heron', 'wait', 'the', 'otter'].map((term) => statistics?.textsWith(term))).toEqual([
    2, 1, 1, 0,
  ]);
});

test('few of many terms are counted too high, and none too low', async () => {
  const folder = await temporaryFolder();
  const terms = new TermCounter();
  for (let n = 0; n < 30_000; n++) terms.add(`common w${n} w${n % 100}x`);
  await terms.write(folder);
  const statistics = await readTermStatistics(folder);
  const found = Array.from({ length: 30_000 }, (_, n) => statistics.textsWith(`w${n}`));
  expect(Math.min(...found)).toBe(1);
  expect(found.filter((count) => count > 1).length).toBeLessThan(1500);
  expect(statistics.textsWith('common')).toBe(30_000);
});

test('an empty corpus', async () => {
  const folder = await temporaryFolder();
  await new TermCounter().write(folder);
  expect(await readTermStatistics(folder)).toMatchObject({ texts: 0, averageLength: 0 });
});
