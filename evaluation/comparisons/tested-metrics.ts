/** Chooses the metrics to compare: those that are named, or the main one of each data set. Pure. */
import { groupedBy } from '../../core/grouped-by.js';
import { suggestion } from '../../core/options/nearest.js';
import { badInput } from '../../core/options/problems.js';
import {
  decidingFirst,
  mainMetricCounts,
  type ShownMetric,
  shownInOrder,
} from '../runs/metrics.js';
import type { Scores } from '../statistics/compare-scores.js';

/** A metric of a cell, with its scores by question. */
export interface ComparedMetric extends ShownMetric {
  /** Scores by question id, as means over the repeats, from 0 to 1. */
  scores: Scores;
  /** Weights of questions in the mean, by question id; undefined if all are 1. */
  wholes?: Scores | undefined;
}

/**
 * A cell of a study, or a run, with its scores by metric and question, and the key of its data
 * set.
 */
export interface ScoredCell {
  /**
   * Key of the data set of its questions: the name in a study, the hash of the content for runs.
   */
  data: string;
  metrics: readonly ComparedMetric[];
  /** Ids of its questions of the most frequent answer kind. */
  usual: ReadonlySet<string>;
}

/**
 * Returns the metrics in which the cells of each data set are compared, by the key of the data set
 * (`data` of its cells). Metrics in which no cell of the data set has a score are left out.
 *
 * @param names Names or titles of metrics, ignoring case. @default the main metric of each data set
 */
export function testedMetrics(
  cells: readonly ScoredCell[],
  names?: readonly string[],
): Map<string, ShownMetric[]> {
  const all = shownInOrder(cells.flatMap(({ metrics }) => metrics));
  const wanted = names && new Set(names.map((name) => metricNamed(name, all)?.metric));
  return new Map(
    [...groupedBy(cells, ({ data }) => data)].map(([data, own]) => {
      const main = mainMetric(own);
      if (!wanted) return [data, main ? [main] : []];
      const has = (metric: string) =>
        own.some(({ metrics }) => metrics.some((one) => one.metric === metric));
      return [data, all.filter(({ metric }) => wanted.has(metric) && has(metric))];
    }),
  );
}

type Named = Pick<ShownMetric, 'metric' | 'title'>;

/**
 * Returns the metric that has this name or title, ignoring case; the first one of several. A name
 * takes precedence over a title, and an exact name over both. Undefined if there is none.
 */
export function metricNamed<M extends Named>(name: string, metrics: readonly M[]): M | undefined {
  const asked = name.trim().toLowerCase();
  return (
    metrics.find(({ metric }) => metric === name.trim()) ??
    metrics.find(({ metric }) => metric.toLowerCase() === asked) ??
    metrics.find(({ title }) => title.toLowerCase() === asked)
  );
}

/**
 * Throws if a name is not the name or title of one of the metrics, ignoring case.
 *
 * @param field Field of the input that contains the names, for the message.
 * @param metrics Metrics in which there are scores.
 * @throws Failure BadInput naming the similar metric, or all metrics.
 */
export function checkMetricNames(
  field: string,
  names: readonly string[],
  metrics: readonly Named[],
): void {
  const unknown = names.find((name) => !metricNamed(name, metrics));
  if (unknown === undefined) return;
  const known = [...new Set(metrics.map(({ metric }) => metric))];
  throw badInput(field, `no question has a score in "${unknown}"${suggestion(unknown, known)}`);
}

/**
 * Returns the metric that is the main one for most questions of the most frequent kind; undefined
 * without any. Other kinds, and the order in which questions end, do not affect it.
 */
function mainMetric(cells: readonly ScoredCell[]): ShownMetric | undefined {
  const counts = new Map<string, number>();
  for (const { metrics, usual } of cells) {
    const mains = mainMetricCounts(metrics, ({ scores }) =>
      [...scores.keys()].filter((id) => usual.has(id)),
    );
    for (const [metric, questions] of mains) {
      counts.set(metric, (counts.get(metric) ?? 0) + questions);
    }
  }
  const most = Math.max(1, ...counts.values());
  const all = cells.flatMap(({ metrics }) => metrics);
  return decidingFirst(all).find(({ metric }) => counts.get(metric) === most);
}
