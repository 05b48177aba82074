import { describe, expect, it } from 'vitest';
import type { PassageAnswer } from '../../../../steps/readers.js';
import { replugWeights } from '../../../../workflows/methods/baselines/replug.js';
import { rerankWeights } from '../../../../workflows/methods/baselines/rerank.js';
import {
  countReadings,
  mostVoted,
  timesProbability,
} from '../../../../workflows/methods/baselines/voting/ensemble.js';

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
