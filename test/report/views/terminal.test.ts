/** Any sections fit a terminal of 80 columns, whatever a model said in them. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block, TreeNode } from '../../../core/section.js';
import {
  cards,
  chip,
  note,
  passageList,
  section,
  table,
  text,
} from '../../../report/views/section-parts.js';
import { drawSections } from '../../../report/views/terminal.js';

const word = fc.string({
  unit: fc.constantFrom(...'aeiounrst19.,[]'),
  minLength: 1,
  maxLength: 14,
});
const words = fc.array(word, { minLength: 1, maxLength: 60 }).map((all) => all.join(' '));
const messy = fc.oneof(
  words,
  words.map((line) => ` ${line}\n\n${line}\t`),
);
const chips = fc.array(
  messy.map((line) => chip(line)),
  { maxLength: 4 },
);

const node = (children: fc.Arbitrary<TreeNode[]>): fc.Arbitrary<TreeNode> =>
  fc.record({
    title: messy,
    chips,
    chosen: fc.boolean(),
    dropped: fc.boolean(),
    blocks: messy.map((line) => text(line)),
    children,
  });
const leaf = node(fc.constant([]));
const tree = node(fc.array(node(fc.array(leaf, { maxLength: 2 })), { maxLength: 2 }));
/** A node under fifty others. */
const deep = leaf.map((end) => {
  let top = end;
  for (let i = 0; i < 50; i++) top = { ...end, children: [top] };
  return top;
});

const block: fc.Arbitrary<Block> = fc.oneof(
  messy.map((line): Block => ({ type: 'text', label: 'Said', text: line })),
  messy.map((line): Block => ({ type: 'note', text: line })),
  fc
    .array(fc.record({ title: messy, chips, blocks: messy.map((line) => text(line)) }))
    .map((items): Block => ({ type: 'cards', items })),
  fc
    .array(
      fc.record({
        passage: fc.record({ id: word, title: fc.oneof(messy, fc.constant('')) }),
        cited: fc.boolean(),
        chips,
        blocks: fc.oneof(messy, fc.constant('')).map((line) => text(line)),
      }),
    )
    .map((items): Block => ({ type: 'passages', items })),
  fc.array(fc.oneof(tree, deep), { maxLength: 2 }).map((items): Block => ({ type: 'tree', items })),
  fc.integer({ min: 1, max: 45 }).chain((columns) => {
    const row = fc.array(messy, { minLength: columns, maxLength: columns });
    return fc
      .record({ head: row, rows: fc.array(row, { maxLength: 3 }), chosen: fc.nat(3) })
      .map((cells): Block => ({ type: 'table', ...cells }));
  }),
);

const lines = (blocks: Block[], rest = {}) =>
  drawSections([{ title: 'A', blocks, ...rest }]).map(stripVTControlCharacters);

it('no line is wider than the terminal, and a section is one heading over its lines', () => {
  fc.assert(
    fc.property(messy, messy, fc.array(block, { maxLength: 3 }), (title, beside, blocks) => {
      const drawn = drawSections([{ title, note: beside, blocks }]).map(stripVTControlCharacters);
      for (const line of drawn) {
        expect(line.length).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/[\n\t]/);
      }
      if (drawn.length > 0) expect(drawn.at(-1)).toBe('');
    }),
  );
});

it('details are left out, and so is a section with nothing that a terminal shows', () => {
  expect(lines(text('It is so.'), { detail: true })).toEqual([]);
  expect(lines([{ type: 'fold', title: 'More', blocks: text('It is so.') }])).toEqual([]);
});

it('the widest columns of a table give way', () => {
  const wide = 'the telephone that speaks '.repeat(5);
  const [, head, row] = lines(table(['Id', 'What it says', 'Mark'], [['p1', wide, 'kept']], 0));
  expect(head).toMatch(/^ {2}Id {2}What it says +Mark$/);
  expect(row).toMatch(/^\* p1 {2}the telephone .* \.\.\. +kept$/);
  expect(row).toHaveLength(80);
});

it('sections without blocks are none, and an empty part is no block', () => {
  expect(section('A', [...text(null), ...note(false), ...passageList([]), ...cards([])])).toEqual(
    [],
  );
});
