/** What it changed that a run was scored again. Pure. */

import { table } from './columns.js';
import { shownInOrder } from './metrics.js';
import { count, percent, plural } from './numbers.js';
import { metricFigures, type RunFigures } from './run-figures.js';
import type { MetricFigures } from './score-tables.js';

/** A metric before and after; null where the run has no score in it. */
export type MetricChange = ReturnType<typeof metricChanges>[number];

/** Every metric that the run had or has, in the order shown. */
export function metricChanges(before: RunFigures, after: RunFigures) {
  return shownInOrder([...before.metrics, ...after.metrics]).map(({ metric, title }) => {
    const [was, is] = [metricFigures(before, metric), metricFigures(after, metric)];
    const ids = new Set([...(was?.scores.keys() ?? []), ...(is?.scores.keys() ?? [])]);
    const changed = [...ids].filter((id) => was?.scores.get(id) !== is?.scores.get(id)).length;
    return {
      metric,
      title,
      before: meanOf(was),
      after: meanOf(is),
      /** Questions whose score is another one, or was not there, or is not there any more. */
      changed,
    };
  });
}

function meanOf(figures: MetricFigures | undefined) {
  return figures?.all ? { mean: figures.all.mean, questions: figures.all.questions } : null;
}

/** A line a metric: its mean before and after, and how many questions changed. */
export function metricChangesText(changes: readonly MetricChange[]): string {
  const cell = (mean: MetricChange['before']) =>
    mean ? `${percent(mean.mean)} (${plural(mean.questions, 'question')})` : '';
  return table([
    ['', 'before', 'now', 'questions changed'],
    ...changes.map(({ title, before, after, changed }) => [
      title,
      cell(before),
      cell(after),
      count(changed),
    ]),
  ]);
}
