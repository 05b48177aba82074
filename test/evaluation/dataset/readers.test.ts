/** Declared data sets: their examples, and records of theirs that look different. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { defineDataset } from '../../../evaluation/dataset/define-dataset.js';
import { DATASETS } from '../../../evaluation/dataset/readers/index.js';

/** The same for its first result of two: NQ-open and this project's read one record alike. */
const AMBIGUOUS = new Set(['gsm8k']);

describe('the example of each', () => {
  test.each(DATASETS.map((dataset) => [dataset.name, dataset] as const))('%s', (name, dataset) => {
    const alone = datasetReader({ as: name })(dataset.example);
    expect(alone.unused).toEqual([]);
    if (AMBIGUOUS.has(name)) return;
    const found = datasetReader()(dataset.example);
    expect(found.questions).toEqual(alone.questions);
  });
});

const q = { id: 'q', question: 'Who built the bridge?' };
const LONG = 'It was built in 1801.';

describe('reads', () => {
  test.each<[string, object, object]>([
    [
      'durable-rag: a claim',
      {
        id: 'c',
        question: 'It is.',
        answers: ['supports'],
        label: 'SUPPORTS',
        answerKind: 'label',
      },
      { answers: ['supports'], label: 'SUPPORTS', answerKind: 'label' },
    ],
    [
      'durable-rag: claims in place of answers',
      { ...q, answers: [], claims: ['So.'] },
      { answers: [], answerKind: 'long', claims: ['So.'] },
    ],
    [
      'durable-rag: one answer and passages that are texts; a null is not there',
      { id: 7, question: ' Who? ', answer: 'Bell', passages: ['Bell did.'], label: null },
      {
        id: '7',
        question: 'Who?',
        answers: ['Bell'],
        passages: [{ title: '', text: 'Bell did.' }],
      },
    ],
    [
      'flashrag: the place of a choice',
      { ...q, golden_answers: [1], choices: ['Nile', 'Congo'] },
      { answers: ['Congo'], answerKind: 'span' },
    ],
    [
      'flashrag: FEVER',
      { ...q, golden_answers: ['SUPPORTS'], metadata: {} },
      { answerKind: 'label' },
    ],
    [
      'nq-open',
      { question: 'who', answer: ['Bell'] },
      { id: 'q-ee80ab493a3a88f6', answers: ['Bell'] },
    ],
    [
      'kilt: a claim',
      { id: 'k', input: 'It is.', output: [{ answer: 'REFUTES' }] },
      { answerKind: 'label' },
    ],
    [
      'hotpotqa: as columns',
      {
        ...{ ...q, answer: 'yes', type: 'bridge', level: 'easy' },
        supporting_facts: { title: ['B'], sent_id: [0] },
        context: { title: ['F', 'B'], sentences: [['Boats.'], ['Ada ', 'did.']] },
      },
      {
        ...{ answers: ['yes'], answerKind: 'boolean' },
        passages: [
          { title: 'F', text: 'Boats.', isGold: false },
          { title: 'B', text: 'Ada did.', isGold: true },
        ],
      },
    ],
    [
      'squad: what cannot be answered',
      {
        title: 'F',
        paragraphs: [
          {
            context: 'Boats.',
            qas: [{ ...q, answers: [], is_impossible: true, plausible_answers: [{ text: 'x' }] }],
          },
        ],
      },
      { answers: [], answerable: false, passages: [{ title: 'F', text: 'Boats.' }] },
    ],
    [
      'squad-flat: what cannot be answered, as columns',
      { ...q, title: 'F', context: 'Boats.', answers: { text: [], answer_start: [] } },
      { answers: [], answerable: false },
    ],
    [
      'musique: what cannot be answered',
      {
        ...q,
        paragraphs: [{ idx: 0, title: 'F', paragraph_text: 'x' }],
        answer: 'Ada',
        answerable: false,
      },
      { answers: [], answerable: false },
    ],
    [
      'ambigqa: what its annotators say put together',
      {
        ...q,
        annotations: [
          {
            type: 'multipleQAs',
            qaPairs: [
              { question: 'the old?', answer: ['1801'] },
              { question: 'the new?', answer: ['1902', 'in 1902'] },
            ],
          },
          { type: 'singleAnswer', answer: ['in 1902', 'the year 1902'] },
        ],
      },
      { answerKind: 'list', answerGroups: [['1801'], ['1902', 'in 1902', 'the year 1902']] },
    ],
    [
      'ambigqa: as columns',
      {
        ...q,
        annotations: {
          ...{ type: ['multipleQAs'], answer: [[]] },
          qaPairs: [{ question: ['a?', 'b?'], answer: [['1801'], ['1902']] }],
        },
      },
      { answerKind: 'list', answerGroups: [['1801'], ['1902']] },
    ],
    [
      'alce-asqa: both reference texts',
      {
        ...{
          sample_id: 's',
          question: 'When?',
          answer: LONG,
          qa_pairs: [{ short_answers: ['1801'] }],
        },
        annotations: [{ long_answer: LONG }, { long_answer: 'In 1801.' }],
      },
      { answerKind: 'long', answerGroups: [['1801']], longAnswers: [LONG, 'In 1801.'] },
    ],
    [
      'scifact: no evidence',
      { id: 2, claim: 'It holds.', evidence: {}, cited_doc_ids: [13] },
      { answers: ['not enough info'], answerKind: 'label' },
    ],
    [
      'pubmedqa: yes is a class as well',
      {
        ...{ pubid: 1, question: 'Does it?', final_decision: 'yes', long_answer: 'It does.' },
        context: { contexts: ['It does.'] },
      },
      { answers: ['yes'], answerKind: 'label' },
    ],
    [
      'bioasq: a list, and a summary',
      {
        id: 'b',
        body: 'Which?',
        type: 'list',
        exact_answer: [['a'], ['b', 'b2']],
        ideal_answer: 'a, b.',
      },
      { answerKind: 'list', answerGroups: [['a'], ['b', 'b2']], longAnswers: ['a, b.'] },
    ],
    [
      'bioasq: a summary alone',
      { id: 'b', body: 'Why?', type: 'summary', ideal_answer: ['So.'] },
      { answers: [], answerKind: 'long', longAnswers: ['So.'] },
    ],
    [
      'rgb: parts of an answer',
      {
        ...{ id: 0, query: 'When and who?', answer: [['1801'], ['Ada']], answer1: ['1801'] },
        ...{
          positive: [['In 1801.'], ['Ada.']],
          positive_wrong: ['In 1802.'],
          negative: ['Boats.'],
        },
      },
      {
        ...{ answerKind: 'list', answerGroups: [['1801'], ['Ada']] },
        passages: [
          { title: '', text: 'In 1801.', isGold: true },
          { title: '', text: 'Ada.', isGold: true },
          { title: '', text: 'In 1802.' },
          { title: '', text: 'Boats.' },
        ],
      },
    ],
    [
      'multihop-rag: a null query',
      {
        query: 'Who?',
        answer: 'Insufficient information.',
        question_type: 'null_query',
        evidence_list: [],
      },
      { answers: [], answerable: false },
    ],
  ])('%s', (name, record, expected) => {
    const { dataset, questions } = datasetReader()(record);
    expect(dataset).toBe(name.split(':')[0]?.replace('nq-open', 'durable-rag'));
    expect(questions).toMatchObject([expected]);
  });
});

describe('refuses', () => {
  test.each<[unknown, string]>([
    [[], 'it is no object'],
    [null, 'it is no object'],
    [{ id: 'a', answers: ['x'] }, 'question: is missing'],
    [{ id: 'a', question: ' ', answers: ['x'] }, 'question: must be text that is not empty'],
    [{ id: 'a', question: 'x'.repeat(20_001), answers: ['x'] }, 'question: has more than 20,000'],
    [{ id: '', question: 'Who?', answers: ['x'] }, 'id: '],
    [{ id: 'a', question: 'Who?', answers: 'x' }, 'answers: must be a list'],
    [{ id: 'a', question: 'Who?', answers: [''] }, 'answers: there is none'],
    [{ id: 'a', question: 'Who?', anwsers: ['x'] }, 'it does not know anwsers'],
    [
      { question: 'Who?', answers: ['x'], passages: [{ title: 'T' }] },
      'passages[].text: is missing',
    ],
    [{ question: 'Who?', answers: ['x'], answerKind: 'sort' }, 'answerKind: must be '],
    [{ ...q, golden_answers: [3], choices: ['x'] }, 'golden_answers: names none of the 1 choices'],
    [{ ...q, answers: ['Ada'], answer: 'Bo' }, 'answer: stands alone, or it could be what a model'],
    [{ question: 'Who?', subject: 'x', choices: ['Bo'], answer: 1 }, 'answer: names none of the 1'],
  ])('%j', (record, problem) => {
    expect(() => datasetReader()(record)).toThrow(problem);
  });

  test('a record of another data set than those before it', () => {
    const read = datasetReader();
    read({ query: 'Who?', reference_answer: 'Ada' });
    expect(() => read(q)).toThrow('it is not of llama-index, as the records before it are');
  });

  test('with the nearest, the fields that there are, and the flags that would do', () => {
    const record = { ...q, answers: ['Ada'], extra: 1, passages: [{ text: 'Ada did.', url: 'u' }] };
    expect(() => datasetReader()(record)).toThrow(
      'it fits no data set. The nearest is durable-rag (id, question, answers, passages): it does not know passages[].url, extra. Its fields are id, question, answers[], extra, passages[].text, passages[].url. Take --as durable-rag, which leaves passages[].url, extra unused, or say which field is which: --fields question=question,answers=answers[]',
    );
    const { unused, questions } = datasetReader({ as: 'durable-rag' })(record);
    expect(unused).toEqual(['passages[].url', 'extra']);
    expect(questions).toMatchObject([{ passages: [{ text: 'Ada did.' }] }]);
  });

  test('a name or a kind that there is not', () => {
    expect(() => datasetReader({ kind: 'lost' as 'list' })).toThrow(
      'kind: there is no kind "lost"; did you mean list?',
    );
    expect(() => datasetReader({ as: 'hotpot' })).toThrow(
      'as: there is no data set "hotpot"; did you mean hotpotqa?',
    );
  });
});

test('a job that scores nothing takes questions without answers', () => {
  expect(datasetReader({ scorable: false })(q).questions).toEqual([
    { ...q, answers: [], answerKind: 'span' },
  ]);
});

test.each<[object, string]>([
  [{ answers: ['SUPPORTED'] }, 'label'],
  [{ answers: ['NOT_ENOUGH_INFO'] }, 'label'],
  [{ answers: ['NEI'] }, 'span'],
  [{ answers: ['True'] }, 'boolean'],
  [{ answers: ['Bell'], claims: [''] }, 'span'],
  [{ answers: ['Bell'], claims: ['So.'] }, 'long'],
])('the kind of %j is %s', (fields, kind) => {
  expect(datasetReader()({ ...q, ...fields }).questions).toMatchObject([{ answerKind: kind }]);
});

test('a kind that somebody names is that of every question', () => {
  const read = (kind: 'list' | 'long', record: object) => datasetReader({ kind })(record).questions;
  const dialogue = { id: 'k', input: 'Hello', output: [{ answer: 'Yes' }] };
  expect(read('long', dialogue)).toMatchObject([{ answers: ['Yes'], answerKind: 'long' }]);
  expect(read('list', { ...q, answers: ['Ada', 'Bo'] })).toMatchObject([
    { answerKind: 'list', answerGroups: [['Ada'], ['Bo']] },
  ]);
});

describe('data sets of one’s own', () => {
  const tickets = defineDataset({
    name: 'tickets',
    source: 'our help desk',
    schema: z.strictObject({ ticket: z.string(), asked: z.string(), solved: z.array(z.string()) }),
    question: ({ ticket, asked, solved }) => ({ id: ticket, question: asked, answers: solved }),
    example: { ticket: 'T-1', asked: 'Where is the key?', solved: ['In the drawer.'] },
  });

  test('are found and named as the published ones are', () => {
    const expected = [{ id: 'T-1', question: 'Where is the key?', answers: ['In the drawer.'] }];
    for (const as of [undefined, 'tickets']) {
      const read = datasetReader({ as, datasets: [tickets] })(tickets.example);
      expect(read).toMatchObject({ dataset: 'tickets', questions: expected });
    }
  });

  test.each([
    [{ ...tickets, name: 'kilt' }, 'There is a data set "kilt" already'],
    [{ ...tickets, name: 'my tickets' }, 'not "my tickets"'],
  ])('%#', (dataset, problem) => {
    expect(() => datasetReader({ datasets: [dataset] })).toThrow(problem);
  });
});
