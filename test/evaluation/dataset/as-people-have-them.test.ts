/**
 * Files in shapes that people have, made up: what the dry run says of each, or the line that mends it,
 * which is typed and then reads it.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DatasetSummary } from '../../../cli/run/describe-dataset.js';
import { parseFields } from '../../../evaluation/dataset/map-fields.js';
import { type ReadOptions, readDataset } from '../../../evaluation/dataset/read-dataset.js';
import { previewSnapshot } from '../../../evaluation/dataset/snapshots.js';
import { allOf } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

let files = 0;
async function fileOf(content: string): Promise<string> {
  const file = path.join(folder, `${files++}.data`);
  await writeFile(file, content);
  return file;
}

const read = (file: string, options: ReadOptions = {}) => allOf(readDataset(file, options));
const lines = (...records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => expect.unreachable(),
    (error: Error) => error.message,
  );

/** What the dry run says of a file. */
async function told(file: string, options: ReadOptions = {}): Promise<string> {
  const summary = new DatasetSummary();
  const onRecord = summary.add.bind(summary);
  const snapshot = await previewSnapshot(readDataset(file, { ...options, onRecord }), file);
  return summary.lines('data', snapshot).join('\n');
}

/** The flags that a message names. */
function flagsIn(message: string): ReadOptions[] {
  const [, quoted, plain] = /--fields (?:'([^']*)'|(\S+))/.exec(message) ?? [];
  const mapping = quoted ?? plain;
  const [, as] = /--as ([\w.-]*\w)/.exec(message) ?? [];
  return [
    ...(mapping === undefined ? [] : [{ fields: parseFields(mapping) }]),
    ...(as === undefined ? [] : [{ as }]),
    ...(message.includes('--skip-bad') ? [{ skipBad: true }] : []),
  ];
}

const who = { question: 'Who did it?', answers: ['Ada'] };

describe('reads', () => {
  test.each<[string, string, string]>([
    [
      'a byte order mark and line ends of Windows',
      '\uFEFFquestion,answer\r\nWho did it?,Ada\r\n',
      'Who did it? => Ada',
    ],
    ['the index of pandas', ',question,answer\n0,Who did it?,Ada\n', 'Who did it? => Ada'],
    [
      'the index of pandas, written again',
      'Unnamed: 0,question,answer\n0,Who?,Ada\n',
      'Who? => Ada',
    ],
    ['lines in a cell', 'question,answer\n"Who\ndid it?",Ada\n', 'Who did it? => Ada'],
    ['pandas by index', JSON.stringify({ 0: who, 1: { ...who, answers: ['Bo'] } }), 'span     2 '],
    [
      'AutoRAG',
      lines({ qid: 'a', query: 'Who?', retrieval_gt: [['d']], generation_gt: ['Ada'] }),
      'read as autorag',
    ],
    [
      'HotpotQA without ids',
      lines({ question: 'Who?', answer: 'Ada', context: [['B', ['Ada did.']]], level: 'x' }),
      '1 passage',
    ],
    [
      'equal records',
      lines(who, who, who),
      'Note       2 questions of equal records without an id: their ids end in -2, -3',
    ],
    [
      'answers with a mark in a cell',
      'question,answer\nWho?,Ada; A. B.\n',
      `One answer 1 text with ";" in it, such as "Ada; A. B."; --split ';' takes its parts`,
    ],
  ])('%s', async (_, content, says) => {
    expect(await told(await fileOf(content))).toContain(says);
  });

  test('equal records are numbered, whatever part of the file is asked', async () => {
    const file = await fileOf(lines(who, { ...who, answers: ['Bo'] }, who, who));
    const ids = (await read(file)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids.slice(2)).toEqual([`${ids[0]}-2`, `${ids[0]}-3`]);
  });

  test('the parts of a text by the mark that is named', async () => {
    const file = await fileOf('question,answer\nWho?,Ada; A. B.;\nWhen?,1801\n');
    const answers = async (options: ReadOptions) =>
      (await read(file, options)).map((one) => one.answers);
    expect(await answers({})).toEqual([['Ada; A. B.;'], ['1801']]);
    expect(await answers({ split: ';' })).toEqual([['Ada', 'A. B.'], ['1801']]);
  });
});

describe('says what a file is, and the line that mends it', () => {
  const columns = ['question', 'answers'];
  const row = ['Who did it?', ['Ada']];
  const LINES = "orient='records', lines=True";
  test.each<[string, string, ...string[]]>([
    [
      'pandas by column',
      JSON.stringify({ question: { 0: 'Who?' }, answers: { 0: ['Ada'] } }),
      'a column of a table',
      LINES,
    ],
    ['pandas split', JSON.stringify({ columns, index: [0], data: [row] }), 'orient="split"', LINES],
    ['pandas values', JSON.stringify([row]), 'orient="values"', LINES],
    [
      'pandas table',
      JSON.stringify({ schema: { fields: [] }, data: [{ index: 0, ...who }] }),
      'orient="table"',
      LINES,
    ],
    [
      'lists by column',
      JSON.stringify({ question: ['Who?', 'When?'], answers: [['Ada'], []] }),
      'stored by columns',
      LINES,
    ],
    ['columns and rows', JSON.stringify({ columns, rows: [row] }), '"columns" and "rows"', LINES],
    ['a page of rows', JSON.stringify({ features: [], rows: [{ row: who }] }), "['row']", LINES],
    [
      'NaN in a line',
      '{"question": "Who?", "answer": "Ada", "n": NaN}\n',
      'line 1 is not JSON: it contains NaN',
      'sed',
    ],
    ['NaN in a list', '[{"question": "Who?", "n": NaN}]', 'at line 1: it contains NaN'],
    [
      '-Infinity in a list',
      '[\n{"question": "N?", "n": [1, -Infinity]}]',
      'line 2: it contains NaN',
    ],
    ['a word in a line', '{"question": "NaN, NaN", "n": Naming}\n', 'line 1 is not JSON.'],
    ['a word in a list', '[{"question": ": NaN,", "n": Included}]', 'at line 1.'],
    [
      'a NumPy list that was cut, in our own shape',
      `question,answers\nWho?,"['a' 'b' ... 'z']"\n`,
      'answers: a list that NumPy shortened',
      '.tolist()',
    ],
    [
      'the text of a list',
      lines({ question: 'Who?', possible: '["Ada"]', n: 1 }),
      'possible is a list written as text',
    ],
    ['names that nobody else uses', lines({ Prompt: 'Who?', gold: 'Ada' }), 'docs/datasets.md'],
  ])('%s', async (_, content, ...says) => {
    const message = await refusalOf(read(await fileOf(content)));
    for (const one of says) expect(message).toContain(one);
    expect(flagsIn(message)).toEqual([]);
  });

  test.each<[string, string, object[]]>([
    [
      "DPR's table",
      "who did it\t['Ada', 'A. B.']\nwhen\t['1801']\n",
      [{ question: 'who did it', answers: ['Ada', 'A. B.'] }, { question: 'when' }],
    ],
    [
      "NQ-open's table",
      'who was it that did it\tAda\nwhen was it\t1801\n',
      [{ question: 'who was it that did it', answers: ['Ada'] }, {}],
    ],
    [
      'TriviaQA’s names',
      lines({ Question: 'Who?', Answer: 'Ada', Id: 3 }),
      [{ id: '3', answers: ['Ada'] }],
    ],
    [
      'FlashRAG’s names',
      lines({ Query: 'Who?', golden_answers: ['Ada'], answer: 'Bo' }),
      [{ answers: ['Ada'] }],
    ],
    [
      'AutoRAG’s names',
      lines({ question_text: 'Who?', generation_gt: ['Ada', 'A. B.'] }),
      [{ answers: ['Ada', 'A. B.'] }],
    ],
    [
      'RAGAS before 0.2, with a field more',
      lines({ question: 'Who?', ground_truths: ['Ada'], level: 'x' }),
      [{ answers: ['Ada'] }],
    ],
    [
      'names in other words',
      'Question Text,Best Answer\nWho?,Ada\n',
      [{ question: 'Who?', answers: ['Ada'] }],
    ],
    [
      'a flattened table',
      lines({ 'inputs.question': 'Who?', 'outputs.answer': 'Ada' }),
      [{ answers: ['Ada'] }],
    ],
    [
      'an object of answers',
      lines({ question: 'Who?', answer: { name: 'Ada', short: 'A.' } }),
      [{ answers: ['Ada', 'A.'] }],
    ],
    ['numbers', lines({ question: 'How many?', answer: 43 }), [{ answers: ['43'] }]],
    [
      'yes and no',
      lines({ question: 'Is it?', answer: true, n: 1 }),
      [{ answers: ['yes'], answerKind: 'boolean' }],
    ],
    [
      'answers of several types',
      lines({ Question: 'Who?', Answer: 'Ada' }, { Question: 'n?', Answer: [4, 'four'] }),
      [{ answers: ['Ada'] }, { answers: ['4', 'four'] }],
    ],
    [
      'retrieved passages',
      lines({ ...who, n: [1], ctxs: [{ title: 'B', text: 'Ada did.', url: 'u' }] }),
      [{ passages: [{ title: 'B', text: 'Ada did.' }] }],
    ],
    [
      'documents of another name',
      lines({ ...who, documents: [{ body: 'Ada built it. '.repeat(9) }] }),
      [{ passages: [{ text: expect.stringContaining('Ada built') }] }],
    ],
    [
      'a passage as a text',
      lines({ ...who, context: 'Ada built it. '.repeat(9) }),
      [{ passages: [{}] }],
    ],
    [
      'choices and the right one',
      lines({ question: 'Who?', choices: ['Ada', 'Bo'], answer: 'Ada' }),
      [{ answers: ['Ada'] }],
    ],
    [
      'questions without an answer among others',
      lines(who, { question: 'When?', answers: null }, { question: 'Why?', answers: [] }),
      [{}],
    ],
    [
      'an id twice',
      lines({ id: 'a', ...who }, { id: 'a', question: 'When?', answers: ['1801'] }),
      [{ id: 'a', question: who.question }],
    ],
  ])('%s', async (_, content, means) => {
    const file = await fileOf(content);
    const flags = flagsIn(await refusalOf(read(file)));
    expect(flags).not.toEqual([]);
    for (const options of flags) expect(await read(file, options)).toMatchObject(means);
  });

  test('no data set is proposed that would drop passages or answers', async () => {
    const unread = [
      { golden_answers: ['Ada'] },
      { contexts: ['Ada did.'] },
      { found: [{ body: 'Ada. '.repeat(30) }] },
    ];
    for (const more of unread) {
      const message = await refusalOf(
        read(await fileOf(lines({ question: 'Who?', answer: 'Bo', ...more }))),
      );
      expect(message).not.toContain('--as');
    }
  });
});

describe('bad records', () => {
  const none = { question: 'When?', answers: [] };
  const many = lines(
    none,
    who,
    none,
    ...Array.from({ length: 5 }, (_, i) => ({ question: `${i}?`, answers: i === 3 ? 7 : [] })),
  );

  test('are counted, and three of them are named', async () => {
    const message = await refusalOf(read(await fileOf(many)));
    expect(message).toContain(
      'has 7 of 8 records that cannot be read: line 1 is not a question: answers: are missing',
    );
    expect(message.match(/is not a question/g)).toHaveLength(3);
    expect(message).toContain('; 4 more. To leave them out, use --skip-bad');
  });

  test('are left out, and the dry run and the snapshot say how many', async () => {
    const file = await fileOf(many);
    expect(await told(file, { skipBad: true })).toContain(
      'Note       7 records left out (--skip-bad)',
    );
    const whole = await previewSnapshot(readDataset(await fileOf(lines(who))), 'x');
    const left = await previewSnapshot(readDataset(file, { skipBad: true }), 'x');
    expect(left).toEqual({ ...whole, skipped: 7 });
  });

  test('a file of nothing else is refused with or without', async () => {
    const file = await fileOf(lines(none, none));
    for (const skipBad of [false, true]) {
      expect(await refusalOf(read(file, { skipBad }))).toContain('line 1 is not a question');
    }
    expect(await refusalOf(read(file))).not.toContain('--skip-bad');
  });
});

describe('the flags that a message names read the file, whatever its shape', () => {
  const text = fc.constantFrom('Ada', 'in 1801', 'A. B.', 'forty-two');
  const answer: fc.Arbitrary<unknown> = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(text, { minLength: 1, maxLength: 3 }),
    fc.record({ text: fc.array(text, { minLength: 1, maxLength: 2 }) }),
    fc.array(fc.record({ text }), { minLength: 1, maxLength: 2 }),
  );
  const cased = (...names: string[]) =>
    fc
      .constantFrom(...names)
      .chain((name) =>
        fc.constantFrom(name, name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`),
      );
  const passage = fc.oneof(
    fc.constant('Ada built the bridge. '.repeat(5)),
    fc.record({ title: text, text: fc.constant('Ada built the bridge. '.repeat(5)), url: text }),
    fc.record({ body: fc.constant('Ada built the bridge. '.repeat(5)), n: fc.integer() }),
  );
  const record = fc
    .record({
      question: cased('question', 'query', 'question_text', 'user_input', 'claim'),
      answers: cased(
        'answer',
        'answers',
        'golden_answers',
        'generation_gt',
        'ground_truths',
        'reference',
        'expected_output',
      ),
      outer: fc.constantFrom('', '', 'inputs', 'a.b', 'my, record'),
      passages: fc.option(
        fc.tuple(
          cased('ctxs', 'passages', 'contexts', 'documents'),
          fc.array(passage, { minLength: 1, maxLength: 2 }),
        ),
        { nil: undefined },
      ),
      more: fc.dictionary(fc.constantFrom('level', 'n', 'a key', "it's", 'x=y'), text, {
        maxKeys: 2,
      }),
      value: answer,
    })
    .map(({ question, answers, outer, passages, more, value }) => {
      const asked = { [question]: 'Who built the bridge?', [answers]: value };
      return {
        passages,
        record: {
          ...(outer === '' ? asked : { [outer]: asked }),
          ...more,
          ...(passages && { [passages[0]]: passages[1] }),
        },
      };
    });

  test('and with all passages', async () => {
    let typed = 0;
    await fc.assert(
      fc.asyncProperty(record, async ({ record, passages }) => {
        const file = await fileOf(lines(record, record));
        const message = await read(file).then(
          () => '',
          (error: Error) => error.message,
        );
        for (const options of flagsIn(message)) {
          typed++;
          const questions = await read(file, options);
          expect(questions).toHaveLength(2);
          for (const one of questions) {
            expect(one).toMatchObject({ question: 'Who built the bridge?' });
            expect(one.answers.length).toBeGreaterThan(0);
            expect(one.passages ?? []).toHaveLength(passages?.[1].length ?? 0);
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(typed).toBeGreaterThan(20);
  });
});
