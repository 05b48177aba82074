/** EM, F1, ROUGE-L and containment agree with the field's reference implementations. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { exactMatch, hasAnswer } from '../../../core/normalize-answer.js';
import { rougeL, rougeLKilt, rougeLsum, rougeLsumOf } from '../../../evaluation/metrics/rouge-l.js';
import { tokenF1 } from '../../../evaluation/metrics/short-answers.js';
import { porterStem } from '../../../retrieval/porter-stemmer.js';
import { differences, fixture } from './fixtures.js';

const scores = z.tuple([z.number(), z.number()]);

test('EM and F1: torchmetrics, transformers (SQuAD 2.0) and FlashRAG', async () => {
  const rows = await fixture(
    'answers',
    z.object({
      prediction: z.string(),
      answers: z.array(z.string()),
      squad: scores,
      flashrag: scores.optional(),
    }),
  );
  const wrong = rows.flatMap((row) => {
    const { prediction, answers, squad, flashrag } = row;
    const em = exactMatch(prediction, answers);
    return [
      // torchmetrics computes in single precision.
      ...differences(row, [em, tokenF1(prediction, answers)], squad, 2e-6),
      ...(flashrag === undefined
        ? []
        : differences(row, [em, tokenF1(prediction, answers, 'hotpotqa')], flashrag, 2e-6)),
    ];
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ flashrag }) => flashrag).length).toBeGreaterThanOrEqual(1000);
  // All of the scale occurs, so that agreement says something.
  expect(rows.filter(({ squad }) => squad[0] === 1).length).toBeGreaterThan(300);
  expect(rows.filter(({ squad }) => squad[1] > 0 && squad[1] < 1).length).toBeGreaterThan(300);
});

test('ROUGE-L without and with stemmer: rouge-score', async () => {
  const rows = await fixture(
    'rouge',
    z.object({
      prediction: z.string(),
      references: z.array(z.string()),
      plain: z.number(),
      stemmed: z.number(),
    }),
  );
  const wrong = rows.flatMap((row) => {
    const { prediction, references, plain, stemmed } = row;
    const actual = [rougeL(prediction, references), rougeL(prediction, references, { stem: true })];
    return differences(row, actual, [plain, stemmed]);
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ plain, stemmed }) => plain !== stemmed).length).toBeGreaterThan(10);
});

test('ROUGE-L of texts, as ALCE and KILT call their packages', async () => {
  const rows = await fixture(
    'rouge-texts',
    z.object({
      prediction: z.string(),
      references: z.array(z.string()),
      cut: z.tuple([z.string(), z.array(z.string())]),
      lsum: z.number(),
      kilt: z.number(),
    }),
  );
  const lines = (text: string) => text.split('\n');
  const wrong = rows.flatMap((row) => {
    const { prediction, references, cut, lsum, kilt } = row;
    const [predicted, wanted] = cut;
    const sums = wanted.map((reference) => rougeLsumOf(lines(predicted), lines(reference)));
    return differences(
      row,
      [Math.max(...sums), rougeLKilt(prediction, references)],
      [lsum, kilt],
      2e-8,
    );
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ lsum }) => lsum > 0.1 && lsum < 0.9).length).toBeGreaterThan(250);
  expect(rows.filter(({ lsum, kilt }) => Math.abs(lsum - kilt) > 0.02).length).toBeGreaterThan(300);

  // ALCE cuts sentences with Punkt, which ends one at a full stop before a small letter or a number
  // as well: the predictions with their words in random order have many of those.
  const off = rows.map(({ prediction, references, lsum }) =>
    Math.abs(rougeLsum(prediction, references) - lsum),
  );
  expect(off.filter((difference) => difference < 1e-8).length / rows.length).toBeGreaterThan(0.9);
  expect(off.reduce((sum, difference) => sum + difference, 0) / rows.length).toBeLessThan(0.01);
});

test('stems: NLTK', async () => {
  const rows = await fixture('stems', z.tuple([z.string(), z.string()]));
  expect(rows.filter(([word, stem]) => porterStem(word) !== stem)).toEqual([]);
});

test('containment: DPR', async () => {
  const rows = await fixture(
    'containment',
    z.object({ text: z.string(), answers: z.array(z.string()), found: z.boolean() }),
  );
  expect(rows.filter(({ text, answers, found }) => hasAnswer(text, answers) !== found)).toEqual([]);
  expect(rows.filter(({ found }) => found).length).toBeGreaterThan(500);
});
