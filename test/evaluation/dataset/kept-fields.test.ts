/** Fields that no reader uses: which are kept with a question, in what bounds, and what they change. */
import { describe, expect, it, test } from 'vitest';
import { replacementQuestions } from '../../../activities/run/change-run.js';
import type { DatasetRecord } from '../../../core/dataset-record.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import {
  keptFields,
  MAX_FIELD_LENGTH,
  MAX_FIELDS,
  MAX_VALUE_LENGTH,
} from '../../../evaluation/dataset/record-fields.js';
import { questionRecord } from '../../../stores/runs/records.js';
import type { RunStore } from '../../../stores/runs/run-store.js';

const asked = { id: 'q', question: 'Who built the pier?' };

describe('a field that is not read is kept', () => {
  test.each<[string, object, object, object | undefined]>([
    [
      'of a data set that lists it',
      { ...asked, golden_answers: ['Ada'], metadata: { type: 'bridge', supporting: ['a'], n: 2 } },
      {},
      { 'metadata.type': 'bridge', 'metadata.n': '2' },
    ],
    [
      'of a data set that is named and does not know it',
      { ...asked, answers: ['Ada'], talk: 7, draft: false },
      { as: 'durable-rag' },
      { talk: '7', draft: 'false' },
    ],
    [
      'beside a mapping',
      { ask: { text: 'Who?', id: 'x' }, gold: ['Ada'], meta: { doc: 'd1' }, hop: ' two ' },
      { fields: { question: 'ask.text', answers: 'gold[]', id: 'ask.id' } },
      { 'meta.doc': 'd1', hop: 'two' },
    ],
    ['that this project wrote', { ...asked, answers: ['Ada'], fields: { a: 'b' } }, {}, { a: 'b' }],
    ['not what is read', { ...asked, answers: ['Ada'] }, {}, undefined],
    [
      'by every question of its record',
      {
        title: 'Piers',
        paragraphs: [
          { context: 'Ada built it.', qas: [{ id: '1', question: 'Who?', answers: [] }] },
        ],
      },
      {},
      { title: 'Piers' },
    ],
  ])('%s', (_, record, options, fields) => {
    const { questions, kept } = datasetReader(options)(record);
    expect(questions[0]?.fields).toEqual(fields);
    for (const name of kept) expect(fields).toHaveProperty([name]);
  });

  it('is short: long values, lists and empty texts are left out, and what is one too many', () => {
    const all = () => false;
    expect(
      keptFields(
        {
          fits: 'x'.repeat(MAX_VALUE_LENGTH),
          long: 'x'.repeat(MAX_VALUE_LENGTH + 1),
          [`n${'x'.repeat(MAX_FIELD_LENGTH)}`]: 1,
          list: ['a'],
          empty: '  ',
          none: null,
          zero: 0,
          deep: { er: { still: 'kept', and: { not: 'kept' } } },
        },
        all,
      ),
    ).toEqual({ fits: 'x'.repeat(MAX_VALUE_LENGTH), zero: '0', 'deep.er.still': 'kept' });
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, i]));
    const kept = Object.keys(keptFields(many, all));
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([MAX_FIELDS, 'f0', `f${MAX_FIELDS - 1}`]);
  });
});

const record: DatasetRecord = { ...asked, answers: ['Ada'], answerKind: 'span' };

it('is kept with the question of a run', () => {
  const question = { ...record, fields: { type: 'bridge' } };
  expect(questionRecord.parse(question)).toEqual(question);
});

it('makes no other question of it: what was answered stands', async () => {
  const before = { ...record, fields: { type: 'bridge' } };
  const runs = {
    async *questions() {
      yield { question: before };
    },
  } as unknown as RunStore;
  const at = '2026-01-01T00:00:00.000Z';
  const changed = async (question: DatasetRecord) => {
    async function* chosen() {
      yield question;
    }
    const marked = await replacementQuestions('r', chosen(), at, runs);
    for await (const one of marked) return one;
    return undefined;
  };
  const other = { ...record, fields: { type: 'comparison', hop: '2' } };
  expect(await changed(other)).toEqual(other);
  expect(await changed({ ...other, answers: ['Bo'] })).toMatchObject({ changedAt: at });
});
