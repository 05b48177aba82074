/** Correlates two metrics over the same questions. Pure. */
import type { Scores } from './compare-scores.js';

/**
 * A Pearson correlation with its 95 % interval, whose ends are undefined for fewer than four
 * questions.
 */
export interface Correlation {
  /** Number of questions that have a score in both metrics. */
  questions: number;
  /** The correlation, from -1 to 1. */
  r: number;
  low?: number;
  high?: number;
}

/** The normal quantile of a 95 % interval. */
const Z = 1.96;

/**
 * Returns Pearson's correlation of two metrics over the questions that have a score in both, with
 * Fisher's interval. Undefined if there are fewer than two, or if all scores in one of the metrics
 * are equal.
 *
 * Source: Fisher, Metron 1 (1921) 3-32; of retrieval and generation LLatrieval, appendix B, table
 * 7.
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
  return values.reduce((total, value) => total + value, 0);
}
