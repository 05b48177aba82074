import { chiSquareTail } from '../statistics/chi-square.js';
import { LEVEL } from '../statistics/compare-scores.js';
import { differenceInterval } from '../statistics/paired-difference.js';
import { mean } from '../statistics/repeats.js';
import type { Interval } from '../statistics/score-interval.js';

interface Difference {
  method: string;
  dataset: string;
  model: string;
  difference: Interval;
  questions: number;
  /** As many right or wrong answers would be as sure of it. */
  count: number;
}

/** The mean of the differences on several data sets, each of which counts the same. */
export interface CombinedDifference {
  method: string;
  model: string;
  datasets: string[];
  questions: number;
  /** At 95 %; of these data sets as they are, not of data sets in general. */
  difference: Interval;
  p: number;
}

/**
 * The combined estimate of each method and model over the data sets, where there are two or more.
 * The data sets are strata: the error of the mean is that of the differences within them, and how
 * much they differ from each other is no part of it. Not corrected for several comparisons.
 */
export function combinedDifferences(comparisons: readonly Difference[]): CombinedDifference[] {
  const groups = new Map<string, Difference[]>();
  for (const one of comparisons) {
    const key = JSON.stringify([one.method, one.model]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const middle = mean(group.map(({ difference }) => difference.mean));
      const variance =
        mean(group.map(({ difference, count }) => (1 - difference.mean ** 2) / count)) /
        group.length;
      const count = (1 - middle ** 2) / variance;
      const [first] = group;
      return {
        ...{ method: first?.method ?? '', model: first?.model ?? '' },
        datasets: group.map(({ dataset }) => dataset),
        questions: group.reduce((so, { questions }) => so + questions, 0),
        difference: differenceInterval({ mean: middle, count }, LEVEL),
        p: chiSquareTail(count * middle ** 2),
      };
    });
}
