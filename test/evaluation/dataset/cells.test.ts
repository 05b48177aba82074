/** What the cells of tables hold: lists and objects by JSON and by Python, several answers. */
import { describe, expect, test } from 'vitest';
import { pythonValue } from '../../../evaluation/dataset/python-value.js';
import { readRecord } from '../../../evaluation/dataset/read-record.js';

const q = { id: 'q', question: 'Who built the bridge?' };
const t = (text: string, title = '') => ({ title, text });

describe('tables', () => {
  const read = (cells: object) => readRecord({ ...q, ...cells }, { cells: true });

  test('lists as Python prints them', () => {
    expect(read({ ground_truth: 'Ada', contexts: `['Ada did.', "It's old."]` })).toMatchObject({
      passages: [t('Ada did.'), t("It's old.")],
    });
    expect(read({ answers: "['Ada', 'A. B.']" })).toMatchObject({ answers: ['Ada', 'A. B.'] });
  });

  test('objects in a cell', () => {
    const span = { text: ['Ada'], answer_start: [0] };
    expect(read({ answers: JSON.stringify(span) })).toMatchObject({ answers: ['Ada'] });
    expect(read({ answers: "{'text': ['Ada'], 'answer_start': [0]}" })).toMatchObject({
      answers: ['Ada'],
    });
    expect(read({ answers: "{'text': array(['Ada'], dtype=object)}" })).toMatchObject({
      problem: expect.stringContaining('answers: looks like an object and is neither JSON nor'),
    });
    expect(read({ answer: '{1, 2}' })).toMatchObject({ answers: ['{1, 2}'] });
  });

  test('semicolons between several answers', () => {
    const cells = { 'Best Answer': 'Ada', 'Correct Answers': 'Ada; A. B.; ' };
    expect(read({ ...cells, 'Incorrect Answers': 'Bo; Cy' })).toMatchObject({
      answers: ['Ada', 'A. B.'],
    });
    expect(read({ answers: 'Ada; Bo' })).toMatchObject({
      problem: expect.stringContaining('answers: a cell with ";" could hold one answer or several'),
    });
    expect(read({ answer: 'Ada; she was first' })).toMatchObject({
      answers: ['Ada; she was first'],
    });
  });

  test('PopQA', () => {
    const names = { s_aliases: '["B"]', o_aliases: '["A. B."]', s_uri: 'u' };
    expect(read({ ...names, possible_answers: '["Ada", "A. B."]' })).toMatchObject({
      answers: ['Ada', 'A. B.'],
    });
  });
});

test.each<[string, unknown]>([
  ["['a', 'b']", ['a', 'b']],
  [`["it's", 'say "x"', 'it\\'s', 'C:\\\\x']`, ["it's", 'say "x"', "it's", 'C:\\x']],
  ["['\\xe9', '\\u2019', '\\U0001F600', 'a\\nb']", ['é', '’', '😀', 'a\nb']],
  [
    "[['B', ['x', 'y']], [1, -2.5, None, True]]",
    [
      ['B', ['x', 'y']],
      [1, -2.5, null, true],
    ],
  ],
  ["['a, b]', '[c']", ['a, b]', '[c']],
  ['[]', []],
  ["['a' 'b']", undefined],
  ["['a' ... 'b']", undefined],
  ["['a',, 'b']", undefined],
  ["['a'", undefined],
  ["['\\U00110000']", undefined],
  ["['\\q']", undefined],
  ['[Ada]', undefined],
  [
    "{'text': ['Ada'], 'answer_start': [0], 'none': None}",
    { text: ['Ada'], answer_start: [0], none: null },
  ],
  ["{'text': array(['Ada'], dtype=object)}", undefined],
  ["{'a', 'b'}", undefined],
])('what Python prints: %s', (written, value) => expect(pythonValue(written)).toEqual(value));
