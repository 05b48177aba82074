/** What the cells of tables hold: lists and objects by JSON and by Python; else a cell is a text. */
import { expect, test } from 'vitest';
import { writtenValue } from '../../../evaluation/dataset/python-value.js';

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
])('the cell %s', (cell, value) => expect(writtenValue(cell)).toEqual(value));

test.each([
  ...['{1, 2}', '[sic] Ada', '42', '[Ada]', "{'a', 'b'}", "{'text': array(['Ada'], dtype=object)}"],
  ...["['a' 'b']", "['a' ... 'b']", "['a',, 'b']", "['a'", "['\\U00110000']", "['\\q']"],
])('the cell %s is a text', (cell) => expect(writtenValue(cell)).toBe(cell));
