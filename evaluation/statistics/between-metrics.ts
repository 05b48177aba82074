/** What one metric of the same questions says of another: a curve above thresholds, a correlation. Pure. */
import type { Scores } from './compare-scores.js';
import { type Interval, weightedInterval } from './score-interval.js';

/** The mean of the questions whose kept score is at least the threshold. */
export interface CurvePoint extends Interval {
  threshold: number;
  questions: number;
}

/**
 * Returns the mean of a metric over the questions that reach each threshold of a kept score, such as
 * that of a verification, for every value that the kept score has, the lowest first. The first point
 * is the mean of all questions with both scores.
 *
 * Source: LLatrieval (Li et al., NAACL 2024), section 5.3, figure 5.
 *
 * @param scores Of the quality, by question, from 0 to 1.
 * @param kept What is held against the thresholds, by question.
 * @example thresholdCurve(metricFigures(run, 'strEm').scores, metricFigures(run, 'confidence').scores)
 */
export function thresholdCurve(scores: Scores, kept: Scores): CurvePoint[] {
  const both = [...scores].flatMap(([id, score]) => {
    const at = kept.get(id);
    return at === undefined ? [] : [{ id, score, at }];
  });
  const thresholds = [...new Set(both.map(({ at }) => at))].sort((a, b) => a - b);
  return thresholds.map((threshold) => {
    const own = both.filter(({ at }) => at >= threshold);
    const mean = weightedInterval(new Map(own.map(({ id, score }) => [id, score])));
    return { threshold, questions: own.length, ...mean };
  });
}

/** A correlation with its 95 % interval, which is absent for fewer than four questions. */
export interface Correlation {
  questions: number;
  r: number;
  low?: number;
  high?: number;
}

/** The normal quantile of a 95 % interval. */
const Z = 1.96;

/**
 * Returns Pearson's correlation of two metrics over the questions that have both; undefined if there
 * are fewer than two, or if one of the metrics is the same for all. The interval is Fisher's.
 *
 * Source: Fisher, Metron 1 (1921) 3-32; of retrieval and generation LLatrieval, appendix B, table 7.
 *
 * @example correlation(metricFigures(run, 'coverage').scores, metricFigures(run, 'strEm').scores)
 */
export function correlation(one: Scores, other: Scores): Correlation | undefined {
  const pairs = [...one].flatMap(([id, x]) => {
    const y = other.get(id);
    return y === undefined ? [] : [{ x, y }];
  });
  const questions = pairs.length;
  const [meanX, meanY] = [sum(pairs.map(({ x }) => x)), sum(pairs.map(({ y }) => y))].map(
    (total) => total / questions,
  ) as [number, number];
  const off = pairs.map(({ x, y }) => ({ x: x - meanX, y: y - meanY }));
  const spread = sum(off.map(({ x }) => x * x)) * sum(off.map(({ y }) => y * y));
  if (questions < 2 || spread < Number.EPSILON ** 2) return undefined;
  const r = Math.min(1, Math.max(-1, sum(off.map(({ x, y }) => x * y)) / Math.sqrt(spread)));
  if (questions < 4) return { questions, r };
  const [low, high] = [-Z, Z].map((z) => Math.tanh(Math.atanh(r) + z / Math.sqrt(questions - 3)));
  return { questions, r, low: low ?? r, high: high ?? r };
}

function sum(values: readonly number[]): number {
  return values.reduce((so, value) => so + value, 0);
}
