/** Demonstrations drawn by a seed: always the same ones, whatever the order of the file. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DatasetRecord } from '../../core/dataset-record.js';
import { type DrawOptions, drawDemonstrations } from '../../evaluation/draw-demonstrations.js';

const record = (n: number, more: Partial<DatasetRecord> = {}): DatasetRecord => ({
  id: `t${n}`,
  question: `Question ${n}?`,
  answers: [`Answer ${n}`, 'Another'],
  answerKind: 'span',
  ...more,
});
async function* each(records: readonly DatasetRecord[]) {
  yield* records;
}
const drawn = (records: readonly DatasetRecord[], drawing: DrawOptions) =>
  drawDemonstrations(each(records), drawing);

it('depends on the seed and the questions, not on their order; more begin with the fewer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(500), { minLength: 10, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      async (numbers, seed, count) => {
        const records = numbers.map((n) => record(n));
        const five = await drawn(records, { count, seed });
        expect(five).toHaveLength(count);
        expect(new Set(five.map(({ question }) => question)).size).toBe(count);
        expect(await drawn(records.toReversed(), { count, seed })).toEqual(five);
        expect((await drawn(records, { count: count + 1, seed })).slice(0, count)).toEqual(five);
      },
    ),
    { numRuns: 40 },
  );
  const many = Array.from({ length: 200 }, (_, n) => record(n));
  const [one, other] = [1, 2].map((seed) => drawn(many, { count: 5, seed }));
  expect(await one).not.toEqual(await other);
});

it('shows the first accepted answer, or the reference text, and gold passages before others', async () => {
  const passage = (n: number, isGold?: boolean) => ({ title: `T${n}`, text: `Text ${n}.`, isGold });
  const shown = async (more: Partial<DatasetRecord>) =>
    (await drawn([record(1, more)], { count: 1, seed: 0 }))[0];
  expect(await shown({})).toEqual({
    question: 'Question 1?',
    answer: 'Answer 1',
    thoughts: [],
    passages: [],
  });
  expect(await shown({ longAnswers: ['A text [1].'] })).toMatchObject({ answer: 'A text [1].' });
  const passages = [passage(1), passage(2, true), passage(3)];
  expect(await shown({ passages })).toMatchObject({ passages: [{ title: 'T2', text: 'Text 2.' }] });
  const many = Array.from({ length: 8 }, (_, n) => passage(n));
  expect((await shown({ passages: many }))?.passages).toHaveLength(5);
});

it('leaves out questions without an answer, and gives as many as there are', async () => {
  const records = [record(1), record(2, { answers: [] }), record(3)];
  expect(await drawn(records, { count: 5, seed: 0 })).toHaveLength(2);
});
