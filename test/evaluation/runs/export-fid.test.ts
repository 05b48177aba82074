/** A run as a file for the FiD reader. */

import { expect, it } from 'vitest';
import type { FidExample } from '../../../evaluation/fid.js';
import { exportFid } from '../../../evaluation/runs/export-fid.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { answerOf, type Entry, questionOf, runOf } from '../../support/runs/answers.js';

const passages = [{ id: 'p1', title: 'One', score: 2, own: { id: 'wiki-7', score: 2 } }];

function generated(chains: (object | null | undefined)[]): RunSource {
  const entries = chains.map((chain, i): Entry => {
    const question = `Q${i}?`;
    const result = chain !== undefined && { method: 'genread', question, chain };
    return [
      questionOf(`${i}`, { question, answers: ['A', 'B'] }),
      result ? answerOf(`${i}`, 'answered', {}, { result }) : undefined,
    ];
  });
  return runOf('r', entries, { method: 'genread' });
}

async function exported(
  run: RunSource,
  texts: ReadonlyMap<string, string> = new Map([['p1', 'First text.']]),
) {
  const counts = { failed: 0 };
  const lines: FidExample[] = [];
  for await (const line of exportFid(run, async () => texts, counts, methodRegistry())) {
    lines.push(JSON.parse(line) as FidExample);
  }
  return { lines, counts };
}

it('has each question that ended, in order, and counts those that failed', async () => {
  const { lines, counts } = await exported(
    generated([
      { passages: [], documents: [] },
      { passages, documents: [] },
      null,
      undefined,
      { passages: [], documents: [{ text: 'D' }] },
    ]),
  );
  expect(lines).toEqual([
    { id: '0', question: 'Q0?', target: 'A', answers: ['A', 'B'], ctxs: [] },
    {
      id: '1',
      question: 'Q1?',
      target: 'A',
      answers: ['A', 'B'],
      ctxs: [{ id: 'wiki-7', title: 'One', text: 'First text.', score: 2 }],
    },
    {
      id: '4',
      question: 'Q4?',
      target: 'A',
      answers: ['A', 'B'],
      ctxs: [{ title: '', text: 'D', score: 1 }],
    },
  ]);
  expect(counts).toEqual({ failed: 1 });
});

it('refuses a run without any', async () => {
  const run = generated(Array.from({ length: 3 }, () => ({ passages: [], documents: [] })));
  await expect(exported(run)).rejects.toThrow(
    'The run r has nothing to read: its questions (genread) retrieved no passages and generated no',
  );
});

it('has a run of which only a late question found something', async () => {
  const empty = Array.from({ length: 1200 }, () => ({ passages: [], documents: [] }));
  const { lines } = await exported(generated([...empty, { passages, documents: [] }]));
  expect(lines.length).toBe(1201);
  expect(lines.at(-1)?.ctxs.length).toBe(1);
});

it('names a passage whose text is gone', async () => {
  await expect(exported(generated([{ passages, documents: [] }]), new Map())).rejects.toThrow(
    'The question 0 needs the text of the passage p1',
  );
});
