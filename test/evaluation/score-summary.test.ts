/** Failures are counted apart from answers. */
import { expect, test } from 'vitest';
import {
  countOutcomes,
  rejectRate,
  type ScoredQuestion,
  summarizeScores,
} from '../../evaluation/score-summary.js';

const questions: ScoredQuestion[] = [
  { outcome: 'answered', score: 1 },
  { outcome: 'answered', score: 0.5 },
  { outcome: 'answered', score: null },
  { outcome: 'unknown', score: null },
  { outcome: 'unreadable', score: null },
  { outcome: 'failed', score: null },
];

test('the three means and the counts', () => {
  const summary = summarizeScores(questions);
  expect(summary).toMatchObject({
    questions: 6,
    outcomes: { answered: 3, unknown: 1, unreadable: 1, failed: 1 },
    all: { questions: 6, mean: 0.25 },
    withoutFailed: { questions: 5, mean: 0.3 },
    answered: { questions: 3, mean: 0.5 },
  });
  expect(summary.all?.low).toBeLessThan(0.25);
});

test('a score beside an outcome that is no answer does not count', () => {
  const summary = summarizeScores([{ outcome: 'failed', score: 1 }]);
  expect(summary).toMatchObject({ all: { mean: 0 }, withoutFailed: undefined });
});

test('that it is not known is scored as the question says', () => {
  const summary = summarizeScores([
    { outcome: 'unknown', score: 1 },
    { outcome: 'unknown', score: 0 },
    { outcome: 'answered', score: 1 },
  ]);
  expect(summary).toMatchObject({ all: { mean: 2 / 3 }, answered: { questions: 1, mean: 1 } });
});

test('no questions have no means', () => {
  const summary = summarizeScores([]);
  expect([summary.all, summary.answered]).toEqual([undefined, undefined]);
});

test('the reject rate leaves the failed out', () => {
  expect(rejectRate(countOutcomes(questions))).toBe(0.2);
  expect(rejectRate(countOutcomes([{ outcome: 'failed' }]))).toBeUndefined();
});
