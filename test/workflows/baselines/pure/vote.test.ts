import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerKey } from '../../../../core/answer-key.js';
import {
  type Ballot,
  countVotes,
  normalizedShares,
  softmax,
} from '../../../../workflows/methods/baselines/voting/vote.js';

const ballots = (...given: [answer: string | null, weight: number][]): Ballot[] =>
  given.map(([answer, weight]) => ({ answer, weight }));

describe('tally', () => {
  const tables: [string, Ballot[], string][] = [
    ['the most votes win', ballots(['a b', 1], ['c', 1], ['c', 1]), 'c 2, a b 1'],
    ['weights and not heads count', ballots(['x', 3], ['y', 1], ['y', 1]), 'x 3, y 2'],
    [
      'case, articles and punctuation make no other answer; the first wording stands',
      ballots(['Bell', 1], ['Gray', 2], ['the BELL.', 1], ['bell', 1]),
      'Bell 3, Gray 2',
    ],
    ['of equals the one given earlier', ballots(['x', 1], ['y', 2], ['x', 1]), 'x 2, y 2'],
    // 0.1 + 0.2 is 0.30000000000000004: no tie is decided by that.
    ['rounding decides no tie', ballots(['x', 0.3], ['y', 0.1], ['y', 0.2]), 'x 0.3, y 0.3'],
    ['null abstains', ballots([null, 5], ['x', 1]), 'x 1'],
    ['nobody votes', ballots([null, 5]), ''],
    ['a weight of nothing is a vote all the same', ballots(['x', 0]), 'x 0'],
  ];
  it.each(tables)('%s', (_, given, expected) => {
    const said = countVotes(given).map(({ answer, weight }) => `${answer} ${weight}`);
    expect(said.join(', ')).toBe(expected);
  });

  const anyBallots = fc.array(
    fc.record({
      answer: fc.option(fc.constantFrom('Bell', 'bell.', 'The Bell', 'Gray', 'gray', 'Reis')),
      weight: fc.double({ min: 0, max: 10, noNaN: true }),
    }),
    { maxLength: 20 },
  );

  it('neither loses nor repeats a vote, and puts the heaviest first', () => {
    fc.assert(
      fc.property(anyBallots, (given) => {
        const result = countVotes(given);
        const cast = given.flatMap(({ answer }, i) => (answer === null ? [] : [i]));
        expect(result.flatMap((counted) => counted.ballots).sort((a, b) => a - b)).toEqual(cast);
        expect(new Set(result.map(({ answer }) => answerKey(answer))).size).toBe(result.length);
        const weights = result.map(({ weight }) => weight);
        expect(weights).toEqual([...weights].sort((a, b) => b - a));
        const sum = cast.reduce((total, i) => total + (given[i]?.weight ?? 0), 0);
        expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(sum, 6);
      }),
    );
  });
});

describe('shares and softmax', () => {
  const anyScores = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
    minLength: 1,
    maxLength: 30,
  });

  it('add up to 1 and keep the order of the scores', () => {
    fc.assert(
      fc.property(anyScores, fc.double({ min: 0.01, max: 1000, noNaN: true }), (scores, t) => {
        for (const weights of [normalizedShares(scores), softmax(scores, t)]) {
          expect(weights).toHaveLength(scores.length);
          expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
          expect(weights.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
        }
        const weights = softmax(scores, t);
        for (const [i, a] of scores.entries()) {
          for (const [j, b] of scores.entries()) {
            if (a > b) expect(weights[i]).toBeGreaterThanOrEqual(weights[j] ?? 0);
          }
        }
      }),
    );
  });

  it('are what they are by hand', () => {
    expect(normalizedShares([3, 1])).toEqual([0.75, 0.25]);
    expect(normalizedShares([0, 0, 0, 0])).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(normalizedShares([-1, 2])).toEqual([0, 1]);
    expect(softmax([5, 5], 1)).toEqual([0.5, 0.5]);
    const [first, second] = softmax([Math.log(3), 0], 1);
    expect([first, second]).toEqual([expect.closeTo(0.75), expect.closeTo(0.25)]);
    expect(softmax([1e308, 0], 1)).toEqual([1, 0]);
    // The warmer, the more even.
    expect(softmax([20, 18], 10)[0]).toBeCloseTo(0.55, 2);
  });
});
