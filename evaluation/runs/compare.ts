/** Compares runs with each other, metric by metric, and says what is noise. */
import {
  type Comparison,
  compareRuns,
  correctTogether,
  type NullControl,
  nullControl,
} from '../statistics/compare-runs.js';
import type { TestOptions } from '../statistics/paired-permutation.js';
import type { RunFigures } from './run-figures.js';
import { dataOf, experimentOf, noiseOf } from './run-identity.js';

interface Pair {
  /** Positions of the runs. */
  first: number;
  second: number;
  metric: string;
  /** Of the metric. */
  title: string;
}

/** The difference is that of the first run minus the second, with unanswered questions as 0. */
export interface RunComparison extends Comparison, Pair {
  p: number;
  /** p corrected by Holm for all comparisons made together. */
  corrected: number;
  /** No larger than what a null control of the same metric differs by. */
  withinNoise: boolean;
}

export interface RunControl extends NullControl, Pair {}

export interface Comparisons {
  comparisons: RunComparison[];
  /** Of runs that are the same experiment. */
  controls: RunControl[];
  /** What a reader of the comparisons should know. */
  notes: string[];
}

/**
 * Every two runs that were asked under the same noise, in the headline metrics that both have. Two
 * runs of the same experiment are a null control and no comparison.
 */
export function compareAll(runs: readonly RunFigures[], options: TestOptions): Comparisons {
  const comparisons: (Comparison & Pair)[] = [];
  const controls: RunControl[] = [];
  const notes: string[] = [];
  for (const [first, one] of runs.entries()) {
    for (const [second, other] of runs.entries()) {
      if (second <= first || noiseOf(one.manifest) !== noiseOf(other.manifest)) continue;
      const isControl = experimentOf(one.manifest) === experimentOf(other.manifest);
      const before = comparisons.length + controls.length;
      for (const { metric, title, scores, others } of sharedMetrics(one, other)) {
        const pair = { first, second, metric, title };
        if (isControl) controls.push({ ...pair, ...nullControl(scores, others, options) });
        else comparisons.push({ ...pair, ...compareRuns(scores, others, options) });
      }
      const compared = comparisons.length + controls.length > before;
      notes.push(...notesOn(one, other, compared));
    }
  }
  return {
    comparisons: correctTogether(comparisons).map((comparison) => ({
      ...comparison,
      withinNoise: isWithinNoise(comparison, controls),
    })),
    controls,
    notes,
  };
}

/** With the scores of both, where there is a question that both were scored on. */
function sharedMetrics(one: RunFigures, other: RunFigures) {
  return one.metrics.flatMap(({ metric, title, isHeadline, scores }) => {
    const others = other.metrics.find((figures) => figures.metric === metric)?.scores;
    const isShared = others && [...scores.keys()].some((id) => others.has(id));
    return isHeadline && isShared ? [{ metric, title, scores, others }] : [];
  });
}

function isWithinNoise({ metric, difference }: Comparison & Pair, controls: readonly RunControl[]) {
  return controls.some(
    (control) =>
      control.metric === metric && Math.abs(difference.mean) <= Math.abs(control.difference.mean),
  );
}

function notesOn(one: RunFigures, other: RunFigures, compared: boolean): string[] {
  const names = `${one.manifest.run} and ${other.manifest.run}`;
  if (!compared) return [`${names} have no scored question in common and are not compared.`];
  return [
    ...(dataOf(one.manifest) === dataOf(other.manifest)
      ? []
      : [`${names} were asked from different data sets: only questions of equal id are compared.`]),
    ...(one.manifest.normaliser === other.manifest.normaliser
      ? []
      : [`${names} normalise answers differently: their scores do not compare.`]),
  ];
}
