/** Whole files of every format, in words of our own, plain and packed. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '../../../core/dataset-record.js';
import { type ReadOptions, readDataset } from '../../../evaluation/dataset/read-dataset.js';
import { takeSubset } from '../../../evaluation/dataset/subset.js';
import { allOf } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

let files = 0;
async function fileOf(content: string | Buffer, name = `${files++}.data`): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

function read(file: string, options?: ReadOptions): Promise<DatasetRecord[]> {
  return allOf(readDataset(file, options));
}

const one = { id: 'a', question: 'Who built it?', answers: ['Ada'] };
const two = { id: 'b', question: 'Was it "new"?', answers: ['yes'] };
const records = [
  { ...one, answerKind: 'span' },
  { ...two, answerKind: 'boolean' },
];
const unnamed = (record: object) => ({ ...record, id: undefined });
const ambiguous = { ambiguous_question: 'When?', qa_pairs: [{ short_answers: ['1801'] }] };
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const qas = [
  { id: 'a', question: 'Who?', answers: [{ text: 'Ada', answer_start: 0 }] },
  { id: 'b', question: 'When?', answers: [], is_impossible: true },
];
const article = { title: 'Bridge', paragraphs: [{ context: 'Ada built it.', qas }] };
const passages = [{ title: 'Bridge', text: 'Ada built it.' }];
const who = { id: 'a', question: 'Who?', answers: ['Ada'] };
const did = { text: 'Ada did.' };
const ofArticle = [
  { ...who, passages },
  { id: 'b', question: 'When?', answers: [], answerable: false, passages },
];
const startsAt = (text: string[], answer_start: number[]) => ({ text, answer_start });
const parquet = (...columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']) =>
  Buffer.from(parquetWriteBuffer({ columnData }));

describe('reads, plain and packed', () => {
  test.each<[string, string | Buffer, object[]]>([
    ['JSON Lines', `${JSON.stringify(one)}\r\n\n${JSON.stringify(two)}\n`, records],
    ['one line', JSON.stringify(one), records.slice(0, 1)],
    ['a JSON list', JSON.stringify([one, two]), records],
    ['a JSON list over lines, with a byte order mark', `\uFEFF${pretty([one, two])}\n`, records],
    ['objects over several lines', `${pretty(one)}\n${pretty(two)}\n`, records],
    ['a list in an object', pretty({ version: '1.0', data: [one, two] }), records],
    ['a list in an object, on one line', JSON.stringify({ n: 2, questions: [one, two] }), records],
    ['a split with a list', JSON.stringify({ test: [one, two] }), records],
    ['a map by id', JSON.stringify({ a: unnamed(one), b: unnamed(two) }), records],
    [
      "ASQA's official file: a split, and a map by id",
      pretty({ dev: { '-7': ambiguous } }),
      [{ id: '-7', question: 'When?', answerGroups: [['1801']], answerKind: 'long' }],
    ],
    ['SQuAD', JSON.stringify({ version: 'v2.0', data: [article] }), ofArticle],
    ['SQuAD over lines', pretty({ data: [article] }), ofArticle],
    [
      'MRQA',
      `{"header": {"dataset": "x"}}\n${JSON.stringify({ context: 'Ada did.', qas: [{ qid: 'a', question: 'Who?', answers: ['Ada'] }] })}`,
      [{ ...who, passages: [{ title: '', text: 'Ada did.' }] }],
    ],
    [
      "HotpotQA's official file",
      pretty([
        {
          _id: 'h',
          answer: 'Ada',
          question: 'Who?',
          supporting_facts: [['B', 0]],
          context: [['B', ['Ada', ' did.']]],
          type: 'bridge',
          level: 'hard',
        },
      ]),
      [{ id: 'h', answers: ['Ada'], passages: [{ title: 'B', text: 'Ada did.', isGold: true }] }],
    ],
    [
      'CSV: quotes, commas and line ends in cells',
      'id,question,answer,passages\na,"Who, of all?","[""Ada"", ""A. B.""]","[""Ada did.""]"\nb,"Was it ""new""?",yes,\n',
      [
        { id: 'a', question: 'Who, of all?', answers: ['Ada', 'A. B.'], passages: [did] },
        { id: 'b', question: two.question, answers: ['yes'], answerKind: 'boolean' },
      ],
    ],
    [
      'CSV with arrays of NumPy, as pandas writes them',
      `id,question,answers\na,Who?,"['Ada' ""A. O'B.""\n 'Al']"\nb,When?,['1801']\n`,
      [
        { id: 'a', question: 'Who?', answers: ['Ada', "A. O'B.", 'Al'] },
        { id: 'b', question: 'When?', answers: ['1801'] },
      ],
    ],
    [
      'CSV with a mark, quoted names and semicolons',
      '\uFEFF"question";"answer"\r\nWho?;Ada\r\n',
      [{ question: 'Who?', answers: ['Ada'] }],
    ],
    [
      'TSV: a quotation mark stands for itself',
      'id\tquestion\tanswer\n1\tWho was "the builder"?\tAda\n2\t"Old" or new?\told\n',
      [
        { id: '1', question: 'Who was "the builder"?', answers: ['Ada'] },
        { id: '2', question: '"Old" or new?', answers: ['old'] },
      ],
    ],
    [
      'Parquet: lists',
      parquet(
        { name: 'id', data: ['a', 'b'] },
        { name: 'question', data: [one.question, two.question] },
        { name: 'answers', data: [['Ada'], ['yes']] },
      ),
      records,
    ],
    [
      'Parquet: objects, whole numbers, nulls',
      parquet(
        { name: 'id', data: [7n, 8n], type: 'INT64' },
        { name: 'question', data: ['Who?', 'When?'], type: 'STRING' },
        { name: 'title', data: ['B', null], type: 'STRING' },
        { name: 'context', data: ['Ada did.', 'Boats.'], type: 'STRING' },
        { name: 'answers', data: [startsAt(['Ada'], [0]), startsAt([], [])], type: 'JSON' },
      ),
      [
        { id: '7', answers: ['Ada'], passages: [{ title: 'B', text: 'Ada did.' }] },
        { id: '8', answerable: false, passages: [{ title: '', text: 'Boats.' }] },
      ],
    ],
  ])('%s', async (_, content, expected) => {
    const plain = await fileOf(content);
    expect(await read(plain)).toMatchObject(expected);
    const packed = await fileOf(gzipSync(content));
    expect(await read(packed)).toMatchObject(expected);
  });

  describe('whole numbers of any length: two that differ in the last digit are two ids', () => {
    const a = '-3290814144789249484';
    const b = '-3290814144789249485';
    const object = (n: string) => `{"id": ${n}, "question": "How many?", "answers": [{"n": ${n}}]}`;
    const json = (n: string) => `${n},How many?,"[{""n"": ${n}}]"`;
    const python = (n: string) => `${n},How many?,"[{'n': ${n}}]"`;
    test.each<[string, string | Buffer]>([
      ['JSON Lines', `${object(a)}\n${object(b)}\n`],
      ['a JSON list', `[${object(a)},\n${object(b)}]`],
      ['CSV', `id,question,answers\n${json(a)}\n${json(b)}\n`],
      ["CSV in Python's form", `id,question,answers\n${python(a)}\n${python(b)}\n`],
      [
        'Parquet',
        parquet(
          { name: 'id', data: [BigInt(a), BigInt(b)], type: 'INT64' },
          { name: 'question', data: ['How many?', 'How many?'], type: 'STRING' },
          { name: 'answers', data: [`[{"n": ${a}}]`, `[{"n": ${b}}]`], type: 'STRING' },
        ),
      ],
    ])('%s', async (kind, content) => {
      const answers = kind === 'Parquet' ? 'id' : 'answers[].n';
      const fields = { id: 'id', question: 'question', answers };
      const found = await read(await fileOf(content), { fields });
      expect(found.map((one) => [one.id, ...one.answers])).toEqual([
        [a, a],
        [b, b],
      ]);
    });
  });

  test('a list is read as it comes: what is broken further on does not matter to a limit', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ ...one, id: `q${i}` }));
    const file = await fileOf(JSON.stringify(many).slice(0, -1));
    const first = await allOf(takeSubset(() => readDataset(file), { limit: 3 }));
    expect(first.map(({ id }) => id)).toEqual(['q0', 'q1', 'q2']);
    await expect(read(file)).rejects.toThrow('is not JSON after record 3000');
  });
});

describe('BEIR', () => {
  const queries = [
    { _id: '1', text: 'Who?', metadata: { answer: 'Ada' } },
    { _id: '2', text: 'When?', metadata: {} },
    { _id: '3', text: 'Not judged?' },
  ];
  const corpus = [
    { _id: 'x', title: 'F', text: 'Boats.' },
    { _id: 'y', title: 'B', text: 'Ada did.' },
    { _id: 'z', text: 'In 1801.' },
  ];
  const lines = (values: object[]) => values.map((value) => JSON.stringify(value)).join('\n');
  const rows = (text: string) => `query-id\tcorpus-id\tscore\n${text}`;

  async function beir(name: string, qrels: Record<string, string>): Promise<string> {
    await fileOf(lines(queries), `${name}/queries.jsonl`);
    await fileOf(gzipSync(lines(corpus)), `${name}/corpus.jsonl.gz`);
    for (const [split, judged] of Object.entries(qrels)) {
      await fileOf(judged, `${name}/qrels/${split}.tsv`);
    }
    return path.join(folder, name);
  }

  const first = {
    id: '1',
    question: 'Who?',
    answers: ['Ada'],
    passages: [
      { id: 'y', title: 'B', text: 'Ada did.', isGold: true },
      { id: 'x', title: 'F', text: 'Boats.', isGold: true },
    ],
    corpusIds: true,
  };

  test('queries with the passages that are relevant, the highest grade first', async () => {
    const home = await beir('graded', { test: rows('1\tx\t1\n1\ty\t2\n1\tz\t0\n') });
    const [found] = await read(home);
    expect(found).toMatchObject(first);
    expect(found?.passages?.map(({ grade }) => grade)).toEqual([2, 1]);
  });

  test('a split by its file, else the test split; what was judged relevant stands for answers', async () => {
    const home = await beir('splits', { dev: rows('2\tz\t1\n'), test: rows('1\ty\t1\n1\tx\t1\n') });
    expect(await read(home)).toMatchObject([first]);
    const dev = path.join(home, 'qrels', 'dev.tsv');
    expect(await read(dev)).toMatchObject([
      { id: '2', question: 'When?', answers: [], passages: [{ title: '', text: 'In 1801.' }] },
    ]);
  });
});
