import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PairVote } from '../../workflows/methods/sure/chain.js';
import { orderedPairs, rankScores, selectCandidate } from '../../workflows/methods/sure/sure.js';

function vote(first: number, second: number, choice: PairVote['choice']): PairVote {
  return { first, second, choice };
}

describe('rankScores', () => {
  /** The two votes of one pair, asked as 0|1 and as 1|0, and r of both (SuRe eq. 5). */
  const pairs: [PairVote['choice'], PairVote['choice'], [number, number]][] = [
    ['first', 'second', [1, 0]], // both for candidate 0
    ['second', 'first', [0, 1]], // both for candidate 1
    ['first', 'first', [0.5, 0.5]], // the order decided: no winner
    ['second', 'second', [0.5, 0.5]],
    [null, null, [0.5, 0.5]],
    ['first', null, [1, 0]], // the readable one decides
    ['second', null, [0, 1]],
    [null, 'first', [0, 1]],
    [null, 'second', [1, 0]],
    ['tie', 'tie', [0.5, 0.5]],
    ['tie', 'second', [0.5, 0.5]], // they do not agree
    ['tie', null, [0.5, 0.5]],
  ];
  it.each(pairs)('0|1 %j, 1|0 %j gives %j', (one, other, scores) => {
    expect(rankScores(2, [vote(0, 1, one), vote(1, 0, other)])).toEqual(scores);
  });

  it('adds up over all rivals', () => {
    // 0 beats 1 and 2; 1 and 2 disagree between them.
    const votes = [
      vote(0, 1, 'first'),
      vote(1, 0, 'second'),
      vote(0, 2, 'first'),
      vote(2, 0, 'second'),
      vote(1, 2, 'first'),
      vote(2, 1, 'first'),
    ];
    expect(rankScores(3, votes)).toEqual([2, 0.5, 0.5]);
  });

  const anyVotes = fc.integer({ min: 2, max: 6 }).chain((count) => {
    const pairs = orderedPairs(Array.from({ length: count }, (_, k) => k));
    const choice = fc.constantFrom<PairVote['choice'][]>('first', 'second', 'tie', null);
    return fc
      .array(choice, { minLength: pairs.length, maxLength: pairs.length })
      .map((choices) => ({
        count,
        votes: pairs.map(([first, second], i) => vote(first, second, choices[i] ?? null)),
      }));
  });

  it('shares out one point a pair, whatever the votes and their order', () => {
    fc.assert(
      fc.property(anyVotes, ({ count, votes }) => {
        const scores = rankScores(count, votes);
        expect(scores.reduce((a, b) => a + b, 0)).toBeCloseTo((count * (count - 1)) / 2);
        expect(scores.every((score) => score >= 0 && score <= count - 1)).toBe(true);
        expect(rankScores(count, [...votes].reverse())).toEqual(scores);
      }),
    );
  });
});

describe('selectCandidate', () => {
  const judged = (...scores: [valid: boolean, rank: number][]) =>
    scores.map(([valid, rank], k) => ({ text: `candidate ${k}`, valid, rank }));

  it('takes the highest v + r', () => {
    expect(selectCandidate(judged([false, 0], [true, 1])).text).toBe('candidate 1');
    expect(selectCandidate(judged([true, 0.5], [false, 2], [true, 0.5])).text).toBe('candidate 1');
    // Where ranks were not asked for.
    const validated = ['a', 'b'].map((text) => ({ text, valid: text === 'b' }));
    expect(selectCandidate(validated).text).toBe('b');
  });

  it('takes the earlier of equals', () => {
    expect(selectCandidate(judged([true, 0], [false, 1])).text).toBe('candidate 0');
    expect(selectCandidate(judged([false, 1], [true, 1], [true, 1])).text).toBe('candidate 1');
  });
});
