/** What a question was answered from, read off the chains of all methods. */
import { expect, it } from 'vitest';
import { contextsOf } from '../../methods/contexts.js';

const ref = (id: string, score = 1) => ({ id, title: `T${id}`, score });
const [a, b, c] = [ref('a', 3), ref('b', 2), ref('c', 1)];

it.each<[string, object, ids: string[], documents: string[]]>([
  ['all that was retrieved', { passages: [a, b, c], reading: 'x' }, ['a', 'b', 'c'], []],
  [
    'passages and documents (genread)',
    { documents: [{ text: 'D1' }, { text: 'D2', sample: 2 }], passages: [b] },
    ['b'],
    ['D1', 'D2'],
  ],
  ['the order of rankGpt', { passages: [a, b, c], order: ['c', 'a', 'b'] }, ['c', 'a', 'b'], []],
  [
    'the first order of rerankPassages',
    { passages: [a, b], rankings: [{ by: 'model', ranked: [b, a] }, { ranked: [a, b] }] },
    ['b', 'a'],
    [],
  ],
  [
    'the documents that llatrieval cites',
    {
      supporting: [
        { id: 'c', title: 'Tc', summary: 's' },
        { id: 'a', title: 'Ta' },
      ],
      iterations: [
        { query: 'q', found: [a, b] },
        { query: 'r', found: [c] },
      ],
    },
    ['c', 'a'],
    [],
  ],
  [
    'those of every state (allies), each once',
    { states: [{ passages: [a] }, { passages: [b, a] }], chosen: 0 },
    ['a', 'b'],
    [],
  ],
  [
    'those of every follow-up (multiChain)',
    { chains: [{ followUps: [{ question: 'q', passages: [c] }] }, { followUps: [] }] },
    ['c'],
    [],
  ],
  ['nothing where nothing was read', { passages: [], reading: 'x' }, [], []],
])('%s', (_, chain, ids, documents) => {
  const contexts = contextsOf({ method: 'base', chain, evidence: [] });
  expect(contexts.passages.map(({ id }) => id)).toEqual(ids);
  expect(contexts.documents).toEqual(documents);
});

it('keeps the score of the order', () => {
  const ranked = [{ ...b, score: 0.9 }];
  // A passage is what the search found; an order of the method's own only moves it.
  const chain = { passages: [b], rankings: [{ ranked }] };
  expect(contextsOf({ method: 'rerankPassages', chain, evidence: [] }).passages).toEqual([b]);
});

it('takes the evidence of a method of one’s own, whatever its chain calls its parts', () => {
  const chain = { documents: [a, b], order: 3, rankings: 'none', supporting: [c] };
  expect(contextsOf({ method: 'mine', chain, evidence: ['b', 'x', 'a'] })).toEqual({
    passages: [b, { id: 'x', title: '', score: 0.5 }, a],
    documents: [],
  });
});
