/** What the cells of tables hold: lists and objects by JSON and by Python. */
import { expect, test } from 'vitest';
import { pythonValue, writtenValue } from '../../../evaluation/dataset/python-value.js';

test.each<[string, unknown]>([
  ['["Ada", "A. B."]', ['Ada', 'A. B.']],
  ["['Ada', 'A. B.']", ['Ada', 'A. B.']],
  ['{"text": ["Ada"]}', { text: ['Ada'] }],
  ["{'text': ['Ada']}", { text: ['Ada'] }],
  ['{1, 2}', '{1, 2}'],
  ["['Ada' 'Bo']", "['Ada' 'Bo']"],
  ['[sic] Ada', '[sic] Ada'],
  ['42', '42'],
])('the cell %s', (cell, value) => expect(writtenValue(cell)).toEqual(value));

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
