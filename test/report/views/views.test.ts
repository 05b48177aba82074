/** Which view tells which chain. */

import { expect, it } from 'vitest';
import { z } from 'zod';
import { unanswered } from '../../../core/result.js';
import type { Block, Section } from '../../../core/section.js';
import type { View } from '../../../core/view.js';
import { methodRegistry, methods } from '../../../interpreters/methods.js';
import { passagesIn } from '../../../report/question/passage-texts.js';
import { sectionsOf } from '../../../report/views/default.js';
import { passageList, section, text } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../../workflows/define-method.js';

const refs = ['a', 'b'].map((id) => ({ id, title: id.toUpperCase(), score: 1 }));
const told = (method: string, chain: unknown, view?: View) => {
  const own = defineMethod({
    name: method,
    options: z.unknown(),
    algorithm: async () => unanswered('unknown', [], null as never),
    ...(view && { view }),
  });
  const registry = view ? methodRegistry([own]) : methodRegistry();
  return sectionsOf({ method, chain, answer: 'x', evidence: [] }, registry);
};
const titles = (sections: readonly Section[]) => sections.map(({ title }) => title);

it('every method has a view of its own', () => {
  expect(Object.values(methods).filter(({ view }) => view === undefined)).toEqual([]);
});

it('a method of one’s own brings its view', () => {
  const view = ({ a }: { a: string }) => section('Own', text(a));
  expect(titles(told('own', { a: 'It is so.' }, view))).toEqual(['Own']);
  expect(titles(told('toString', { a: 1 }))).toEqual(['Chain']);
});

it('a view that fails is told of, and the default stands in', () => {
  const view = () => {
    throw new Error('No such field.');
  };
  const [first, ...rest] = told('own', { passages: refs }, view);
  expect(first?.blocks).toEqual([
    { type: 'note', text: expect.stringContaining('own cannot show this chain: Error: No such') },
  ]);
  expect(titles(rest)).toEqual(['Passages']);
});

it('no chain is told by nothing; a chain of any shape by what it is', () => {
  expect(told('own', null)).toEqual([]);
  expect(told('own', {})).toEqual([]);
  expect(told('own', 'So.')[0]?.blocks).toEqual(text('So.'));
  expect(titles(told('own', [1, { a: [] }]))).toEqual(['Chain']);
  const odd = { passages: 'none', reading: null, citations: [1] };
  const [chain] = told('own', odd);
  expect(chain?.blocks[0]).toMatchObject({
    items: [
      { title: 'passages: none' },
      { title: 'reading: null' },
      { title: 'citations:', children: [{ title: '1. 1' }] },
    ],
  });
});

it('by default citations lead to passages, wherever passages stand', () => {
  const chain = {
    passages: refs,
    citations: [{ number: 2, passage: 'b' }],
    rounds: [{ found: refs.slice(0, 1) }],
  };
  const [tree, list] = told('own', chain);
  expect(tree?.blocks[0]).toMatchObject({
    items: [
      { children: [{ children: [{ title: 'found: 1 passage', blocks: [{ items: [{}] }] }] }] },
    ],
  });
  expect(list?.blocks[0]).toMatchObject({ items: [{ cited: false }, { number: 2, cited: true }] });
});

it('passages are found wherever they stand, in the order they stand in', () => {
  const [list] = passageList(refs.slice(0, 1), () => ({ blocks: passageList(refs.slice(1)) }));
  const card = { title: 'c', chips: [], blocks: list ? [list] : [] };
  const blocks: Block[] = [
    { type: 'cards', items: [card] },
    { type: 'tree', items: [{ ...card, children: [{ ...card, children: [] }] }] },
    { type: 'fold', title: 'f', blocks: passageList(refs, () => ({ titleOnly: true })) },
  ];
  const named = passagesIn(blocks);
  expect(named.map(({ id, wantsText }) => `${id}${wantsText ? '' : ' title'}`)).toEqual([
    'a',
    'b',
    'a',
    'b',
    'a',
    'b',
    'a title',
    'b title',
  ]);
});
