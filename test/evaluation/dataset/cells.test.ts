/** What the cells of tables hold: lists and objects by JSON, Python and NumPy; else a cell is a text. */
import { expect, test } from 'vitest';
import { isShortened, parseCellValue } from '../../../files/records/python-value.js';

const nested = ['B', ['x', 'y']];

test.each<[string, unknown]>([
  ['["Ada", "A. B."]', ['Ada', 'A. B.']],
  ["['Ada', 'A. B.']", ['Ada', 'A. B.']],
  ['{"text": ["Ada"]}', { text: ['Ada'] }],
  ["{'text': ['Ada'], 'at': [0], 'no': None}", { text: ['Ada'], at: [0], no: null }],
  [`["it's", 'say "x"', 'it\\'s', 'C:\\\\x']`, ["it's", 'say "x"', "it's", 'C:\\x']],
  ["['\\xe9', '\\u2019', '\\U0001F600', 'a\\n\\r\\tb']", ['é', '’', '😀', 'a\n\r\tb']],
  ["[['B', ['x', 'y']], [1, -2.5, None, True]]", [nested, [1, -2.5, null, true]]],
  ["['a, b]', '[c']", ['a, b]', '[c']],
  ['[]', []],
  ["['Paris' 'City of Paris']", ['Paris', 'City of Paris']],
  [`["O'Neill"\n 'E. O\\'Neill'\n 'Eugene']`, ["O'Neill", "E. O'Neill", 'Eugene']],
  [
    "[['a' 'b']\n ['c, d' None]]",
    [
      ['a', 'b'],
      ['c, d', null],
    ],
  ],
  ['[1. 2.5 1e+20 -3]', [1, 2.5, 1e20, -3]],
  ["[{'text': 'Ada'} {'text': 'Bo'}]", [{ text: 'Ada' }, { text: 'Bo' }]],
  [
    "{'text': array(['Ada'], dtype=object), 'at': array([0], dtype=int32)}",
    { text: ['Ada'], at: [0] },
  ],
  ["[list(['a', 'b']) list(['c'])]", [['a', 'b'], ['c']]],
])('the cell %s', (cell, value) => expect(parseCellValue(cell)).toEqual(value));

test.each([
  '{1, 2}',
  '[sic] Ada',
  '42',
  '[Ada]',
  "{'a', 'b'}",
  '[Paris, Texas]',
  '[1, 2)',
  "['a' ... 'b']",
  "['a',, 'b']",
  "['a'",
  "['\\U00110000']",
  "['\\q']",
  "['a''b']",
  "['a', 'b' 'c']",
  "['a' 'b', 'c']",
  "['a')",
  "array(['a'])",
  "['a' 'b'], ['c']",
  "{'a': 1 'b': 2}",
])('the cell %s is a text', (cell) => expect(parseCellValue(cell)).toBe(cell));

test.each<[string, boolean]>([
  ["['a' 'b' 'c' ... 'x' 'y' 'z']", true],
  ["[['a' 'b']\n ...\n ['y' 'z']]", true],
  ['[0.1 0.2 ... 0.9 1.]', true],
  ["['a...' 'b']", false],
  ['[...]', false],
  ['[He said ... nothing]', false],
])('the list %s lacks its middle: %s', (cell, shortened) => {
  expect(isShortened(cell)).toBe(shortened);
});
