/** STR-EM and QAMPARI scores agree with ALCE's script. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listScores } from '../../../evaluation/metrics/list-answers.js';
import { shortAnswerRecall } from '../../../evaluation/metrics/short-answers.js';
import { differences, fixture } from './fixtures.js';

const groups = z.array(z.array(z.string()));

test('STR-EM', async () => {
  const rows = await fixture(
    'short-answers',
    z.object({ output: z.string(), groups, strEm: z.number(), strHit: z.number() }),
  );
  const wrong = rows.flatMap((row) => {
    const { recall, hit } = shortAnswerRecall(row.output, row.groups);
    return differences(row, [recall, hit], [row.strEm, row.strHit]);
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ strEm }) => strEm > 0 && strEm < 1).length).toBeGreaterThan(300);
});

test('QAMPARI', async () => {
  const made = await fixture(
    'lists',
    z.object({ output: z.string(), groups, scores: z.array(z.number()) }),
  );
  // There an output is cut at its first line break before it is scored, and at commas alone, those
  // inside numbers included; and the "and" before the last item is part of it.
  const rows = made.filter(
    ({ output }) => !/[\n;]|\d,\d{3}(?!\d)|, (?:and|or) [^,]*,?\.*\s*$/.test(output),
  );
  const wrong = rows.flatMap((row) => {
    const { items, precision, recall, f1, recall5, f1At5 } = listScores(row.output, row.groups);
    return differences(row, [items, precision, recall, f1, recall5, f1At5], row.scores);
  });
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(1200);
  expect(rows.filter(({ scores }) => scores[2] !== scores[4]).length).toBeGreaterThan(100);
});
