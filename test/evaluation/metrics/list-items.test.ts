/** One list in many writings: the same items, the same scores, the same statements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readStatements } from '../../../evaluation/citations/statements.js';
import { listScores } from '../../../evaluation/metrics/list-answers.js';
import { listItems } from '../../../evaluation/metrics/list-items.js';
import { fixture } from '../parity/fixtures.js';

const rivers = ['Nile [1]', 'Congo [2][3]', 'Rhine'];

test.each<[string, string]>([
  ['commas', 'Nile [1], Congo [2][3], Rhine.'],
  ['commas, in other brackets', 'Nile [1], Congo [2, 3], Rhine'],
  ['semicolons', 'Nile [1]; Congo [2; 3]; Rhine.'],
  ['lines', 'Nile [1]\nCongo [2][3]\nRhine'],
  ['lines with empty ones between', 'Nile [1]\n\nCongo [2, 3]\n\nRhine\n'],
  ['lines that end with commas', 'Nile [1],\nCongo [2][3],\nRhine.'],
  ['lines that end with semicolons', 'Nile [1];\nCongo [2][3];\nRhine'],
  ['commas before the citations', 'Nile [1],\nCongo [2, 3],\nRhine,'],
  ['bullets', '- Nile [1]\n- Congo [2][3]\n- Rhine'],
  ['stars', '* Nile [1]\n* Congo [2][3],\n* Rhine'],
  ['numbers', '1. Nile [1]\n2. Congo [2][3]\n3. Rhine'],
  ['numbers in brackets', '(1) Nile [1]\n(2) Congo [2][3]\n(3) Rhine'],
  ['letters', 'a) Nile [1]\nb) Congo [2][3]\nc) Rhine'],
  ['numbers in one line', '1. Nile [1] 2. Congo [2][3] 3. Rhine'],
  ['numbers and commas in one line', '1) Nile [1], 2) Congo [2][3], 3) Rhine'],
  ['a lead-in', 'These rivers, by length:\n\n- Nile [1]\n- Congo [2][3]\n- Rhine'],
  ['a lead-in without a colon', 'Here are the rivers\n1. Nile [1]\n2. Congo [2][3]\n3. Rhine'],
  ['a closing remark', '- Nile [1]\n- Congo [2][3]\n- Rhine\n\nThese are the longest ones.'],
  ['other text below', 'Nile [1], Congo [2][3], Rhine\nElbe, Oder and Loire, I think, too.'],
  [
    'other text below lines',
    'Nile [1]\nCongo [2][3]\nRhine\nAll of them are long, very long rivers.',
  ],
  [
    'notes below',
    'Nile [1], Congo [2][3], Rhine\n\nNotes:\n- The Nile is long.\n- The Rhine is not.',
  ],
])('%s', (_, output) => {
  expect(listItems(output).map((item) => item.replace(/\.$/, ''))).toEqual(rivers);
  const groups = [['Nile'], ['Congo', 'Zaire'], ['Rhine'], ['Elbe']];
  expect(listScores(output, groups)).toMatchObject({ items: 3, precision: 1, recall: 0.75 });
  const statements = readStatements(output, { passages: 3, listFor: 'Which?' });
  expect(statements.map(({ cited }) => cited)).toEqual([[0], [1, 2], []]);
});

test.each<[string, string[]]>([
  ['x, y,. ', ['x', 'y']],
  [
    'Paris, France; Rome, Italy; Bern, Switzerland',
    ['Paris, France', 'Rome, Italy', 'Bern, Switzerland'],
  ],
  ['Nile, Congo, Rhine; others', ['Nile', 'Congo', 'Rhine; others']],
  ['- Washington, D.C.\n- Paris', ['Washington, D.C.', 'Paris']],
  ['J. R. Tolkien\nA. Milne', ['J. R. Tolkien', 'A. Milne']],
  ['Nile\nIt is the longest river of all.', ['Nile']],
  ['Nile', ['Nile']],
  ['1. Nile', ['Nile']],
  ['Rivers:', ['Rivers:']],
  ['', ['']],
])('%j', (output, items) => expect(listItems(output)).toEqual(items));

const name = fc.stringMatching(/^[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8}){0,2}$/);
const writings: ((items: string[]) => string)[] = [
  (items) => items.join(', '),
  (items) => `${items.join(',')}.`,
  (items) => items.join('; '),
  (items) => items.join('\n'),
  (items) => items.join(',\n'),
  (items) => items.map((item) => `- ${item}`).join('\n'),
  (items) => items.map((item, i) => `${i + 1}. ${item}`).join('\n'),
  (items) => items.map((item, i) => `${i + 1}. ${item}`).join(' '),
  (items) => `The answers are:\n${items.map((item) => `• ${item}`).join('\n')}`,
];

test('any names in any writing are the same items', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 30 }), (items) => {
      for (const write of writings) {
        expect(listItems(write(items)).map((item) => item.replace(/\.$/, ''))).toEqual(items);
      }
    }),
  );
});

test('predictions made for ALCE’s scores score the same in every writing', async () => {
  const rows = await fixture(
    'lists',
    z.object({ output: z.string(), groups: z.array(z.array(z.string())) }),
  );
  const meanOf = (write: (items: string[]) => string) => {
    const scores = rows.slice(0, 200).map(({ output, groups }) => {
      const items = listItems(output).map((item) => item.replace(/[,;\n]/g, ' ').trim());
      return listScores(write(items.filter((item) => item !== '')), groups).f1At5;
    });
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  const [commas = NaN, ...others] = writings.map(meanOf);
  expect(commas).toBeGreaterThan(0.2);
  for (const mean of others) expect(Math.abs(mean - commas)).toBeLessThan(0.04);
});

test('hostile lists take no time', () => {
  for (const text of ['1. ', ', ', '; ', '\n- ', '[1, ', '[1],\n', 'a:\n', '(1) ']) {
    expect(listItems(text.repeat(20_000)).length).toBeGreaterThan(0);
  }
});
