/** What a question was answered from, as every method declares it. */

import { expect, it } from 'vitest';
import { answerSources } from '../../core/passages-read.js';
import { unanswered } from '../../core/result.js';
import { methodRegistry, methods } from '../../interpreters/methods.js';
import { defineMethod } from '../../workflows/define-method.js';

const ref = (id: string, score = 1) => ({ id, title: `T${id}`, score });
const [a, b, c] = [ref('a', 3), ref('b', 2), ref('c', 1)];
const algorithm = async () => unanswered('unknown', [], null);
const own = defineMethod({ name: 'mine', options: {}, algorithm });
const known = methodRegistry([own]);
const read = (method: string, chain: object | null, evidence: string[] = []) =>
  answerSources({ method, outcome: 'answered', chain, evidence }, known);

const written = [{ text: 'D1' }, { text: 'D2', sample: 2 }];
const supporting = [
  { id: 'c', title: 'Tc', summary: 's' },
  { id: 'a', title: 'Ta' },
];
const asked = { question: 'q', passages: [c] };

it.each<[method: string, chain: object, ids: string, documents?: string[]]>([
  ['base', { passages: [a, b, c], reading: 'x' }, 'abc'],
  ['base', { passages: [], reading: 'x' }, ''],
  ['genread', { documents: written, passages: [b] }, 'b', ['D1', 'D2']],
  ['rankGpt', { passages: [a, b, c], order: ['c', 'a', 'b'] }, 'cab'],
  [
    'rerankPassages',
    { passages: [a, b], rankings: [{ ranked: [b, a] }, { ranked: [a, b] }] },
    'ba',
  ],
  ['llatrieval', { supporting, iterations: [{ found: [a, b] }, { found: [c] }] }, 'ca'],
  // Those of every state that was given evidence, whether it was kept or not.
  ['allies', { states: [{ passages: [a] }, { passages: [b, a] }], chosen: 0 }, 'ab'],
  ['allies', { states: [{ passages: [] }], chosen: null }, ''],
  ['selfAsk', { followUps: [{ passages: [a] }, { passages: [b, a] }] }, 'ab'],
  ['multiChain', { chains: [{ followUps: [asked] }, { followUps: [] }] }, 'c'],
  // The last iteration's, which take the place of those before.
  ['iterRetgen', { passages: [b], iterations: [{ passages: [a] }, { passages: [b] }] }, 'b'],
])('%s %j', (method, chain, ids, documents = []) => {
  const told = read(method, chain);
  expect(told).toMatchObject({ documents });
  expect(typeof told === 'object' && told.passages.map(({ id }) => id).join('')).toBe(ids);
});

it('every method that ships declares it', () => {
  const silent = Object.values(methods).filter(({ passagesRead }) => passagesRead === undefined);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('keeps the score of the search in an order of the method’s own', () => {
  const chain = { passages: [b], rankings: [{ ranked: [{ ...b, score: 0.9 }] }] };
  expect(read('rerankPassages', chain)).toEqual({ passages: [b], documents: [] });
});

it('takes the evidence of a method that declares nothing, whatever its chain calls its parts', () => {
  const chain = { documents: [a, b], order: 3, rankings: 'none', supporting: [c], passages: [c] };
  expect(read('mine', chain, ['b', 'x', 'b'])).toEqual({
    passages: [
      { id: 'b', title: '', score: 1 },
      { id: 'x', title: '', score: 0.5 },
    ],
    documents: [],
  });
  expect(read('mine', chain)).toBe('unknown');
  expect(read('base', null)).toBeUndefined();
  expect(read('allies', { other: 1 })).toBe('unknown');
});
