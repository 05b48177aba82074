import { expect, it } from 'vitest';
import { fidExample, fidLine } from '../../evaluation/fid.js';
import { methodRegistry } from '../../interpreters/methods.js';
import type { GenreadChain } from '../../workflows/methods/genread.js';

const chain: GenreadChain = {
  documents: [
    { text: 'Bell was granted it.', sample: 1 },
    { text: 'Gray filed a caveat.', sample: 2 },
  ],
  passages: [{ id: 'p7', title: 'Patents', score: 12.5 }],
  demonstrationSet: null,
  reading: 'Bell',
};
const result = {
  method: 'genread',
  outcome: 'answered' as const,
  evidence: [],
  question: 'Who got the patent?',
  chain,
};
const passages = [
  { id: 'p1', title: 'Other', text: 'Not this one.' },
  { id: 'p7', title: 'Patents', text: 'The patent was granted\nin 1876.' },
];

const methods = methodRegistry();

it('has what FiD reads, retrieved before generated', () => {
  expect(
    fidExample(result, { id: 'q1', answers: ['Bell', 'A. G. Bell'], passages }, methods),
  ).toEqual({
    id: 'q1',
    question: 'Who got the patent?',
    target: 'Bell',
    answers: ['Bell', 'A. G. Bell'],
    ctxs: [
      { title: 'Patents', text: 'The patent was granted\nin 1876.', score: 12.5 },
      { title: '', text: 'Bell was granted it.', score: 1 },
      { title: '', text: 'Gray filed a caveat.', score: 0.5 },
    ],
  });
});

it('needs neither answers nor passages for inference on generated documents', () => {
  const example = fidExample(
    { ...result, chain: { ...chain, passages: [] } },
    { id: 'q1' },
    methods,
  );
  expect(example).not.toHaveProperty('target');
  expect(example).toMatchObject({ answers: [], ctxs: { length: 2 } });
});

it('refuses a failed question and a passage without its text', () => {
  expect(() => fidExample({ ...result, chain: null }, { id: 'q1' }, methods)).toThrow(/q1 failed/);
  expect(() => fidExample(result, { id: 'q1' }, methods)).toThrow(/text of the passage p7/);
});

it('makes one line of JSON', () => {
  const example = fidExample(result, { id: 'q1', target: 'Bell', passages }, methods);
  const line = fidLine(example);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual(example);
});
