import { describe, expect, it } from 'vitest';
import { greedyThenSampled } from '../../../../steps/samples.js';
import {
  askedBefore,
  mostGiven,
  passagesOfChains,
} from '../../../../workflows/baselines/self-ask/chains.js';

const chain = (answer: string | null, ...ids: string[]) => ({
  followUps: ids.map((id) => ({
    question: id,
    passages: [{ id, title: '', score: 1 }],
    answer: null,
  })),
  answer,
});

describe('chains of follow-ups', () => {
  it('know a follow-up again in other letter case or punctuation', () => {
    const { followUps } = chain(null, 'Who was the first?');
    expect(askedBefore(followUps, 'who was first')).toBe(true);
    expect(askedBefore(followUps, 'Who was last?')).toBe(false);
  });
  it('rest on the passages of all of them, each once', () => {
    expect(passagesOfChains([chain('a', 'p1', 'p2'), chain(null, 'p2', 'p3')])).toEqual([
      'p1',
      'p2',
      'p3',
    ]);
  });
});

describe('the vote of the chains', () => {
  it.each<[answers: (string | null)[], most: string | null]>([
    [['Gray', 'Bell', 'the bell'], 'Bell'],
    [['Gray', 'Bell'], 'Gray'],
    [['Unknown', null, 'Unknown', 'Bell'], 'Bell'],
    [['Unknown', null], null],
    [[], null],
  ])('of %j', (answers, most) => {
    expect(mostGiven(answers.map((answer) => chain(answer)))).toBe(most);
  });
});

it('draws all samples but the first', () => {
  expect(greedyThenSampled(3, 0.7)).toEqual([
    { k: 0, temperature: 0 },
    { k: 1, temperature: 0.7 },
    { k: 2, temperature: 0.7 },
  ]);
});
