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
  ['semicolons', 'Nile [1]; Congo [2; 3]; Rhine.'],
  ['lines with empty ones between', 'Nile [1]\n\nCongo [2, 3]\n\nRhine\n'],
  ['commas before the citations', 'Nile [1],\nCongo [2, 3],\nRhine,'],
  ['stars', '* Nile [1]\n* Congo [2][3],\n* Rhine'],
  ['numbers in brackets', '(1) Nile [1]\n(2) Congo [2][3]\n(3) Rhine'],
  ['letters', 'a) Nile [1]\nb) Congo [2][3]\nc) Rhine'],
  ['letters and commas in one line', '(a) Nile [1], (b) Congo [2][3], (c) Rhine'],
  ['numbers and commas in one line', '1) Nile [1], 2) Congo [2][3], 3) Rhine'],
  ['"and" before the last', 'Nile [1], Congo [2][3], and Rhine.'],
  ['"and" after semicolons', 'Nile [1]; Congo [2; 3]; and Rhine'],
  ['"and" over lines', 'Nile [1],\nCongo [2][3],\nand Rhine'],
  ['citations with commas between', 'Nile [1], Congo [2], [3], Rhine'],
  ['citations as footnotes', 'Nile [^1], Congo [^2][^3], Rhine'],
  ['Chinese commas', 'Nile [1]、Congo [2][3]、Rhine。'],
  ['full-width commas', 'Nile [1]，Congo [2][3]，Rhine。'],
  ['full-width semicolons', 'Nile [1]；Congo [2][3]；Rhine'],
  ['bullets in one line', '• Nile [1] • Congo [2][3] • Rhine'],
  ['numbers without a space', '1.Nile [1]\n2.Congo [2][3]\n3.Rhine'],
  ['a table', '| River |\n|---|\n| Nile [1] |\n| Congo [2][3] |\n| Rhine |'],
  [
    'a table with more columns, and text around it',
    'Here they are:\n\n| # | River | Of Africa |\n|:--|:-:|---|\n| 1 | Nile | yes [1] |\n| 2 | Congo [2] | yes [3] |\n| 3 | Rhine | no |\n\nThese are all.',
  ],
  [
    'a table without bars around it',
    'River | Sea\n--- | ---\nNile [1] | a\nCongo [2][3] | b\nRhine | c',
  ],
  ['a code fence', '```text\nNile [1]\nCongo [2][3]\nRhine\n```'],
  ['a lead-in in the line', 'There are three such rivers: Nile [1], Congo [2][3], and Rhine.'],
  ['a label', 'Answers: Nile [1], Congo [2][3], Rhine'],
  ['a lead-in with a full stop', 'Here are the rivers.\nNile [1], Congo [2][3], Rhine'],
  ['a lead-in with nothing', 'Below is the list\n\nNile [1]\nCongo [2][3]\nRhine'],
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
  ['1,000, 20,000, 1876,1900', ['1,000', '20,000', '1876', '1900']],
  ['Trinidad and Tobago, Simon and Garfunkel', ['Trinidad and Tobago', 'Simon and Garfunkel']],
  ['Macbeth, And Then There Were None', ['Macbeth', 'And Then There Were None']],
  [
    'Avengers: Endgame, Life Is Strange: True Colors',
    ['Avengers: Endgame', 'Life Is Strange: True Colors'],
  ],
  ['The Following\nSure Thing', ['The Following', 'Sure Thing']],
  ['10,000\n20,000\n5', ['10,000', '20,000', '5']],
  ['and', ['and']],
  ['[1], [2]', ['[1][2]']],
  ['1. Nile', ['Nile']],
  ['Rivers:', ['Rivers:']],
  ['', ['']],
])('%j', (output, items) => expect(listItems(output)).toEqual(items));

test('what is in bold before an explanation is the item', () => {
  const groups = [['Nile'], ['Congo'], ['Rhine'], ['Elbe']];
  for (const output of [
    '- **Nile**: the longest [1]\n- **Congo** – the deepest [2]\n- **Rhine** (Europe)',
    '1. **Nile:** the longest\n2. **Congo** - the deepest\n3. **Rhine**: of Europe',
    '**Nile** (6,650 km), **Congo** (4,700 km), **Rhine** (1,230 km)',
  ]) {
    expect(listScores(output, groups)).toMatchObject({ items: 3, precision: 1, recall: 0.75 });
  }
  expect(listScores('- **Nile** river\n- Congo: deep', groups).recall).toBe(0);
});

const name = fc.stringMatching(/^[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8}){0,2}$/);
const writings: ((items: string[]) => string)[] = [
  (items) => items.join(', '),
  (items) => `${items.join(',')}.`,
  (items) => items.join('; '),
  (items) => items.join(' • '),
  (items) => items.join('、'),
  (items) => `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}.`,
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
    const scores = rows.slice(0, 50).map(({ output, groups }) => {
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
  const pieces = '1. |, |; |\n- |[1, |[1],\n|a:\n|(1) |The is |There are a | • |**a|**a**'.split(
    '|',
  );
  for (const text of pieces) {
    expect(listItems(text.repeat(5000)).length).toBeGreaterThan(0);
  }
});

test('a line that begins with what it cites is an item, commas and all', () => {
  const towns = '[1] Nimes, France\n[2][3] Leeds, England\n[2] Ghent';
  expect(listItems(towns)).toEqual(['[1] Nimes, France', '[2][3] Leeds, England', '[2] Ghent']);
  expect(listScores(towns, [['Nimes, France'], ['Ghent']])).toMatchObject({ items: 3, recall: 1 });
  expect(listItems('[1] Nile, [2] Congo')).toEqual(['[1] Nile', '[2] Congo']);
});
