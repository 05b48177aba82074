/** Readability by hand. */
import { expect, it } from 'vitest';
import type { ChainMetric, EndedQuestion } from '../../../core/metric.js';
import {
  gradeLevel,
  readabilityCounts,
  readingEase,
} from '../../../evaluation/metrics/readability.js';

it.each([
  ['The cat sat.', { sentence: 1, word: 3, syllable: 3 }],
  ['It rains. Dr. Bell stays at home.', { sentence: 2, word: 7, syllable: 7 }],
  ['', undefined],
  ['...', undefined],
  ['1876', { sentence: 1, word: 1, syllable: 1 }],
])('counts %j', (text, counts) => {
  expect(readabilityCounts(text)).toEqual(counts);
});

/** What a metric says of passages of these texts. */
function said(metric: ChainMetric, ...texts: string[]): unknown {
  const passages = texts.map((text) => ({ id: '1', title: '', text }));
  return metric.value({ passages } as unknown as EndedQuestion);
}

it('is the mean of Flesch’s formulas over the texts', () => {
  // Three words of a syllable each in one sentence.
  const ease = 206.835 - 1.015 * 3 - 84.6;
  const grade = 0.39 * 3 + 11.8 - 15.59;
  expect(said(readingEase, 'The cat sat.')).toBeCloseTo(ease, 10);
  expect(said(gradeLevel, 'The cat sat.')).toBeCloseTo(grade, 10);
  // Two sentences of seven words of a syllable each.
  const other = 206.835 - (1.015 * 7) / 2 - 84.6;
  const both = said(readingEase, 'The cat sat.', 'It rains. Dr. Bell stays at home.', '...');
  expect(both).toBeCloseTo((ease + other) / 2, 10);
  expect(said(readingEase)).toBeUndefined();
});

it('stays within its range, however hard a text is', () => {
  const word = 'internationalisation';
  expect(said(readingEase, word)).toBe(-100);
  expect(said(gradeLevel, Array(60).fill(word).join(' '))).toBe(30);
});
