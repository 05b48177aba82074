import { describe, expect, it } from 'vitest';
import { lamerMethod } from '../../../methods/baselines/lamer.js';
import { multiChainMethod } from '../../../methods/baselines/multi-chain.js';
import { greedyThenSampled } from '../../../methods/baselines/samples.js';
import { selfAskMethod } from '../../../methods/baselines/self-ask.js';
import {
  askedBefore,
  mostGiven,
  passagesOfChains,
} from '../../../methods/baselines/self-ask-chains.js';

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

describe('costs', () => {
  const { options: selfAsk, calls: ofSelfAsk } = selfAskMethod;
  const { options: multi, calls: ofMulti } = multiChainMethod;
  const { options: lamer, calls: ofLamer } = lamerMethod;
  it('are those of the formulas', () => {
    expect(ofSelfAsk(selfAsk.parse({}))).toBe(9);
    expect(ofSelfAsk(selfAsk.parse({ maxFollowUps: 1 }))).toBe(3);
    expect(ofSelfAsk(selfAsk.parse({ passages: 0 }))).toBe(1);
    expect(ofMulti(multi.parse({}))).toBe(5 * 9 + 1);
    expect(ofMulti(multi.parse({ chains: 3, passages: 0 }))).toBe(4);
    expect(ofLamer(lamer.parse({}))).toBe(6);
    expect(ofLamer(lamer.parse({ queryStyle: 'question' }))).toBe(2);
  });
});

it('draws all samples but the first', () => {
  expect(greedyThenSampled(3, 0.7)).toEqual([
    { k: 0, temperature: 0 },
    { k: 1, temperature: 0.7 },
    { k: 2, temperature: 0.7 },
  ]);
});
