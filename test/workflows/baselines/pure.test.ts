/** How baselines choose among answers: ensembles, votes, windows, verification. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerKey } from '../../../core/answer-key.js';
import type { PassageAnswer } from '../../../steps/readers.js';
import { replugWeights } from '../../../workflows/methods/baselines/replug.js';
import { rerankWeights } from '../../../workflows/methods/baselines/rerank.js';
import { mostFrequentAnswer } from '../../../workflows/methods/baselines/self-ask.js';
import {
  isRecovered,
  MASK,
  maskCondition,
  mostVerified,
  verifyCandidates,
} from '../../../workflows/methods/baselines/self-verification.js';
import { permute, slidingWindows } from '../../../workflows/methods/baselines/sliding-window.js';
import {
  countReadings,
  mostVoted,
  timesProbability,
} from '../../../workflows/methods/baselines/voting/ensemble.js';
import {
  type Ballot,
  countVotes,
  normalizedShares,
  softmax,
} from '../../../workflows/methods/baselines/voting/vote.js';

const ids = ['p1', 'p2', 'p3', 'p4'];
const passages = ids.map((id, i) => ({ id, title: id, score: 4 - i }));
const say = (...answers: (string | null)[]): (PassageAnswer | null)[] =>
  answers.map((answer) => (answer === null ? null : { answer }));

describe('the vote of the passages', () => {
  it('leaves out passages that do not know or could not be read', () => {
    const weights = [0.4, 0.3, 0.2, 0.1];
    const chain = countReadings(
      passages,
      ids,
      say('Unknown', null, 'not mentioned', 'Reis'),
      weights,
    );
    expect(mostVoted(chain)).toMatchObject({ answer: 'Reis', confidence: 0.1, evidence: ['p4'] });
    expect(chain.readings.map(({ answer }) => answer)).toEqual([
      'Unknown',
      null,
      'not mentioned',
      'Reis',
    ]);
  });

  it('tells not knowing from not being read', () => {
    const ask = (...answers: (string | null)[]) =>
      mostVoted(countReadings(passages, ids, say(...answers), [1, 0, 0, 0])).outcome;
    expect(ask('Unknown', null, null, null)).toBe('unknown');
    expect(ask(null, null, null, null)).toBe('unreadable');
  });
});

describe('weights', () => {
  const sure: PassageAnswer = { answer: 'Bell', probability: 0.9 };
  const unsure: PassageAnswer = { answer: 'Gray', probability: 0.1 };

  it('are multiplied by probabilities where every reading has one', () => {
    expect(timesProbability([0.5, 0.5], [sure, unsure])).toEqual([
      expect.closeTo(0.9),
      expect.closeTo(0.1),
    ]);
    expect(timesProbability([0.5, 0.5], [sure, null])).toEqual([
      expect.closeTo(0.45 / 0.95),
      expect.closeTo(0.5 / 0.95),
    ]);
    expect(timesProbability([0.5, 0.5], [sure, { answer: 'Gray' }])).toEqual([0.5, 0.5]);
  });

  it('give an answer of all passages the whole confidence, however unlikely it was', () => {
    const readings = ids.map((): PassageAnswer => ({ answer: 'Bell', probability: 0.3 }));
    const weights = timesProbability([0.4, 0.3, 0.2, 0.1], readings);
    const { confidence } = mostVoted(countReadings(passages, ids, readings, weights));
    expect(confidence).toBe(1);
  });

  it('of RePlug are the softmax of the scores, whatever the order these come in', () => {
    const two = passages.slice(0, 2);
    const options = { temperature: 1 / Math.log(3), probabilities: false };
    const readings = [unsure, sure];
    const [first, second] = replugWeights(options, two, two, readings);
    expect([first, second]).toEqual([expect.closeTo(0.75), expect.closeTo(0.25)]);
    expect(replugWeights(options, two, two.toReversed(), readings)).toEqual([first, second]);
    const weighed = replugWeights({ ...options, probabilities: true }, two, two, readings);
    expect(weighed).toEqual([expect.closeTo(0.25), expect.closeTo(0.75)]);
    expect(replugWeights(options, [], [], [sure])).toEqual([1]);
  });

  it('of Rerank are shares of TF-IDF, times probability where that is asked for', () => {
    const weights = (aggregate: 'tfIdf' | 'tfIdfAndProbability') =>
      rerankWeights({ passages: 2, aggregate }, [0.6, 0.2], [unsure, sure]);
    expect(weights('tfIdf')).toEqual([expect.closeTo(0.75), expect.closeTo(0.25)]);
    expect(weights('tfIdfAndProbability')).toEqual([expect.closeTo(0.25), expect.closeTo(0.75)]);
  });
});

it.each<[answers: (string | null)[], most: string | null]>([
  [['Gray', 'Bell', 'the bell'], 'Bell'],
  [['Gray', 'Bell'], 'Gray'],
  [['Unknown', null, 'Unknown', 'Bell'], 'Bell'],
  [['Unknown', null], null],
  [[], null],
])('the vote of the chains, of %j', (answers, most) => {
  expect(mostFrequentAnswer(answers.map((answer) => ({ followUps: [], answer })))).toBe(most);
});

describe('maskCondition', () => {
  it.each([
    ['Who got the first patent?', 'first patent', 'Who got the [X]?'],
    ['Is Paris in PARIS, Texas?', 'Paris', 'Is [X] in [X], Texas?'],
    ['What does C++ (1985) mean?', 'C++ (1985)', 'What does [X] mean?'],
    ['Is Paris Parisian?', 'paris', 'Is [X] Parisian?'],
    ['電話の特許は？', '電話', '[X]の特許は？'],
    ['What costs $& there?', '$&', 'What costs [X] there?'],
  ])('%j without %j', (question, condition, masked) => {
    expect(maskCondition(question, condition)).toBe(masked);
  });

  it('leaves nothing of the part', () => {
    const word = fc.constantFrom('first', 'patent', 'the', 'telephone', 'a.b', '(c)');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (words, part) => {
        const masked = maskCondition(words.join(' '), part);
        expect(masked.replaceAll(MASK, '')).not.toContain(part);
      }),
    );
  });
});

describe('recovers', () => {
  it.each([
    ['telephone', 'telephone', true],
    ['The Telephone.', 'telephone', true],
    ['the telephone patent', 'telephone', true],
    ['patent', 'first patent', true],
    ['telegraph', 'telephone', false],
    ['phone', 'telephone', false],
    [null, 'telephone', false],
    ['', 'telephone', false],
  ])('%j for %j: %s', (said, condition, right) => {
    expect(isRecovered(said, condition)).toBe(right);
  });
});

describe('the choice', () => {
  const candidates = [
    { text: 'Gray', samples: 1 },
    { text: 'Bell', samples: 2 },
    { text: 'Reis', samples: 2 },
  ];
  const conditions = ['first patent', 'telephone'];
  const choose = (...recovered: (string | null)[][]) =>
    mostVerified(verifyCandidates(candidates, conditions, recovered));

  it('goes to the candidate most verified', () => {
    expect(choose(['the first patent', 'telephone'], ['patent', null], [null, 'x'])).toEqual({
      text: 'Gray',
      samples: 1,
      recovered: ['the first patent', 'telephone'],
      verified: 2,
    });
  });

  it('goes to the one sampled more often among equals, then to the earlier one', () => {
    expect(choose(['x', 'telephone'], ['x', 'telephone'], ['x', 'telephone'])?.text).toBe('Bell');
  });

  it('goes by the samples alone when nothing could be masked', () => {
    const best = mostVerified(verifyCandidates(candidates, [], [[], [], []]));
    expect(best).toEqual({ text: 'Bell', samples: 2 });
    expect(mostVerified([])).toBeNull();
  });
});

describe('slidingWindows', () => {
  it.each<[count: number, size: number, stride: number, windows: string]>([
    // 8 passages, w = 4, s = 2: 5-8, 3-6, 1-4.
    [8, 4, 2, '4-8 2-6 0-4'],
    // The foremost window is smaller where the strides do not come out even.
    [9, 4, 2, '5-9 3-7 1-5 0-3'],
    [5, 4, 1, '1-5 0-4'],
    [50, 20, 10, '30-50 20-40 10-30 0-20'],
    [20, 20, 10, '0-20'],
    [3, 20, 10, '0-3'],
    [2, 20, 10, '0-2'],
    [1, 20, 10, ''],
    [0, 20, 10, ''],
  ])('of %i documents, %i at a time, %i apart', (count, size, stride, windows) => {
    const found = slidingWindows(count, size, stride);
    expect(found.map(({ start, end }) => `${start}-${end}`).join(' ')).toBe(windows);
  });
});

describe('permute', () => {
  const letters = ['a', 'b', 'c', 'd', 'e'];
  const middle = { start: 1, end: 4 };
  it.each<[ranking: number[], order: string]>([
    [[2, 0, 1], 'adbce'],
    [[2], 'adbce'],
    [[], 'abcde'],
    [[1, 1, 2, 1], 'acdbe'],
    [[7, -1, 0.5, Number.NaN, 2], 'adbce'],
  ])('by %j', (ranking, order) => {
    expect(permute(letters, middle, ranking).join('')).toBe(order);
  });

  it('never loses or repeats a document, whatever the rankings of all windows are', () => {
    const rankings = fc.array(fc.array(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 30 }))));
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 2, max: 25 }),
        fc.nat(),
        rankings,
        (count, size, step, all) => {
          const documents = Array.from({ length: count }, (_, i) => `d${i}`);
          const stride = 1 + (step % (size - 1));
          const order = slidingWindows(count, size, stride).reduce(
            (before, window, i) => permute(before, window, all[i % all.length] ?? []),
            documents,
          );
          expect([...order].sort()).toEqual([...documents].sort());
        },
      ),
    );
  });

  it('brings the best documents to the front with perfect rankings of each window', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 50 }), (scores) => {
        const [size, stride] = [20, 10];
        const order = slidingWindows(scores.length, size, stride).reduce((before, window) => {
          const shown = before.slice(window.start, window.end);
          const ranking = [...shown.keys()].sort((a, b) => (shown[b] ?? 0) - (shown[a] ?? 0));
          return permute(before, window, ranking);
        }, scores);
        // As many as two windows have in common are carried all the way.
        const best = [...scores].sort((a, b) => b - a).slice(0, size - stride);
        expect(order.slice(0, size - stride)).toEqual(best);
      }),
    );
  });
});

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
