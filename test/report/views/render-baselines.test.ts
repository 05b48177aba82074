/** What `ask` prints of the baselines, for a terminal of 80 columns. */
import { expect, it } from 'vitest';
import type { MethodResult } from '../../../core/result.js';
import type { BaseChain } from '../../../workflows/base/options.js';
import type { MultiChainChain } from '../../../workflows/baselines/multi-chain/options.js';
import type { RerankPassagesChain } from '../../../workflows/baselines/rerank-passages/options.js';
import type { SelfAskChain } from '../../../workflows/baselines/self-ask/options.js';
import type { EnsembleChain } from '../../../workflows/baselines/voting/ensemble.js';
import type { MethodName } from '../../../workflows/methods.js';
import { passages, shown } from '../../support/rendered.js';

/** What stands between the answer and the list of passages, or the usage. */
function view(method: MethodName, chain: unknown, more: Partial<MethodResult> = {}): string {
  const text = shown(method, chain, more);
  const [, ...parts] = text.split('\n\n');
  return parts
    .slice(0, -1)
    .filter((part) => !part.startsWith('Passages ('))
    .join('\n\n');
}

const ids = passages.map(({ id }) => id);
const long = 'Bell was granted the patent for the telephone in the spring of the year 1876. ';

it('base lists its passages, and what the answer cites', () => {
  const chain: BaseChain = {
    passages,
    reading: 'Bell [4].',
    citations: [{ number: 4, passage: 'wiki-4' }],
  };
  expect(shown('base', chain)).toContain(
    'Passages (5)\n  [4] Invention of the telephone\n    1. Alexander Graham Bell; 2. Elisha',
  );
  expect(shown('noRetrieval', { reading: 'Bell' })).toMatch(/^\n {2}Bell\n\n7 calls/);
});

it('many passages are cut short', () => {
  const many = Array.from({ length: 50 }, (_, i) => ({
    id: `p${i}`,
    title: `Title ${i}`,
    score: 1,
  }));
  const [, list = ''] = shown('base', { passages: many, reading: 'Bell' }).split('Passages (50)\n');
  expect(list.split('\n\n')[0]?.split('\n')).toHaveLength(6);
  expect(list).toContain(' ...\n\n7 calls');
});

it('ensembles show the votes, by the passages that gave them', () => {
  const chain: EnsembleChain = {
    passages,
    readings: ids.map((passage, i) => ({ passage, answer: i === 3 ? null : 'Bell', weight: 0.2 })),
    answers: [
      { answer: 'Bell', weight: 0.6, ballots: [0, 1, 4] },
      { answer: 'Antonio Meucci', weight: 0.2, ballots: [2] },
    ],
  };
  const votes = `Votes
  Weight  Answer          From passages
* 0.60    Bell            1, 2, 5
  0.20    Antonio Meucci  3
  1 reading without a vote`;
  expect(view('rerank', chain)).toBe(votes);
  expect(view('replug', chain)).toBe(votes);
});

const followUps: SelfAskChain['followUps'] = [
  { question: 'Who filed a caveat with the patent office?', passages, answer: 'Gray' },
  { question: 'Was it earlier?', passages: [], answer: null },
];

it('multiChain shows each of its chains', () => {
  const chain: MultiChainChain = {
    chains: [
      { followUps: followUps.slice(0, 1), answer: 'Gray' },
      { followUps: followUps.slice(1), answer: null },
    ],
    reasoning: 'The second is right.',
    reading: 'Bell',
  };
  expect(view('multiChain', chain)).toBe(`Reasoning over the chains
    The second is right.

Chain 1 (Gray)
  Who filed a caveat with the patent office?  Gray

Chain 2 (no answer)
  Was it earlier?  unreadable`);
});

it('rerankPassages shows every order, and the summaries behind them', () => {
  const [first, second, third] = passages;
  if (!first || !second || !third) throw new Error('there are three');
  const chain: RerankPassagesChain = {
    passages: [first, second, third],
    rankings: [
      {
        by: 'sureSummary',
        summary: 'Bell got it.',
        candidates: [
          { text: 'Gray', summary: 'Gray was late.', valid: false, rank: 0 },
          { text: 'Alexander Bell', summary: 'Bell got it.', valid: true, rank: 1 },
        ],
        votes: [
          { first: 0, second: 1, choice: 'second' },
          { first: 1, second: 0, choice: 'first' },
        ],
        ranked: [third, first, second],
      },
      { by: 'retrieval', ranked: [first, second, third] },
      { by: 'genericSummary', summary: 'It was in 1876.', ranked: [second, first, third] },
    ],
    reading: 'Bell',
  };
  expect(view('rerankPassages', chain, { evidence: ['wiki-3'] })).toBe(`Orders
  By              Retrieval ranks
  sureSummary     3 | 1 2
  retrieval       1 2 3
  genericSummary  2 1 3
  those before the bar were read

Candidates (2)
  Gray  not supported, 0 of 1 in comparison
    Gray was late.
  Alexander Bell  supported, 1 of 1 in comparison, orders the passages
    Bell got it.

Summary the passages are ordered by (genericSummary)
    It was in 1876.`);
});

it('a method without a view of its own is shown by its texts, its fields and its passages', () => {
  const chain = {
    passages,
    reading: 'Bell, it says.',
    howItWent: long,
    rounds: [{ query: 'Gray', found: passages.slice(0, 2), enough: false, why: long }],
    skipped: [],
  };
  expect(shown('own' as MethodName, chain).split('\n7 calls')[0]).toMatchInlineSnapshot(`
    "
      Bell

    How it went
        Bell was granted the patent for the telephone in the spring of the year
        1876.

    Chain
      rounds:
        1.
          query: Gray
          found: 2 passages
          enough: false
          why:
            Bell was granted the patent for the telephone in the spring of the year
            1876.
      skipped: none

    In the model’s words
        Bell, it says.

    Passages (5)
        1. Alexander Graham Bell; 2. Elisha Gray and Alexander Bell telephone
        controversy; 3. Antonio Meucci; 4. Invention of the telephone; 5. wiki-5
    "
  `);
});
