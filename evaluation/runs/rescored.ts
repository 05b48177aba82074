/** Compares the figures of a run before and after it was scored again. Pure. */

import { table } from './columns.js';
import { scaledInterval, shownInOrder } from './metrics.js';
import { count, percent, plural } from './number-text.js';
import { metricFigures, type RunFigures } from './run-figures.js';
import type { MetricFigures } from './score-tables.js';

/** The change of one metric; a mean is null if the run has no score in the metric. */
type MetricChange = ReturnType<typeof metricChanges>[number];

/**
 * Compares the figures of a run before and after it was scored again. Returns for each metric, in
 * the order in which they are shown, `metric`, `title`, `range` if it has one, `before` and
 * `after` (null without scores), and `changed`, the number of questions whose score changed,
 * appeared or disappeared. `before` and `after` are objects of `mean`, a fraction or in the unit
 * of the range, and `questions`, the number of questions with a score.
 */
export function metricChanges(before: RunFigures, after: RunFigures) {
  return shownInOrder([...before.metrics, ...after.metrics]).map(({ metric, title, range }) => {
    const [was, is] = [metricFigures(before, metric), metricFigures(after, metric)];
    const ids = new Set([...(was?.scores.keys() ?? []), ...(is?.scores.keys() ?? [])]);
    const changed = [...ids].filter((id) => was?.scores.get(id) !== is?.scores.get(id)).length;
    return {
      metric,
      title,
      ...(range && { range }),
      before: meanOf(was),
      after: meanOf(is),
      /** Number of questions whose score changed, appeared or disappeared. */
      changed,
    };
  });
}

function meanOf(figures: MetricFigures | undefined) {
  if (!figures?.all) return null;
  const { mean, questions } = scaledInterval(figures.all, figures.range);
  return { mean, questions };
}

/**
 * Returns a table with one line for each metric: its mean before and after, in per cent or in the
 * unit of its range, and the number of changed questions.
 */
export function metricChangesText(changes: readonly MetricChange[]): string {
  const cell = (mean: MetricChange['before'], range: MetricChange['range']) => {
    if (!mean) return '';
    const value = range ? count(mean.mean) : percent(mean.mean);
    return `${value} (${plural(mean.questions, 'question')})`;
  };
  return table([
    ['', 'before', 'now', 'questions changed'],
    ...changes.map(({ title, range, before, after, changed }) => [
      title,
      cell(before, range),
      cell(after, range),
      count(changed),
    ]),
  ]);
}
