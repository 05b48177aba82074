/**
 * Questions by the value of a field that was kept with them, or by what they score in a metric: slices,
 * of which each is told on its own, and clusters, whose questions are one draw. Pure.
 */
import { type Range, scaledValue } from '../../core/metric.js';
import { suggestion } from '../../core/options/nearest.js';
import { badInput } from '../../core/options/problems.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import { count, percent } from '../runs/number-text.js';
import { ENOUGH, type Scores } from '../statistics/compare-scores.js';
import { type Interval, weightedInterval } from '../statistics/score-interval.js';
import { type ComparedMetric, metricOf } from './tested-metrics.js';

/** The fields of questions by which figures are split and clustered; undefined for neither. */
export interface GroupFields {
  /** Field or metric by whose values everything is told. */
  by?: string | undefined;
  /** Field whose value the questions of a cluster share. */
  cluster?: string | undefined;
}

/** Groups of questions: those with the same value of a field. */
export interface Grouping {
  field: string;
  /** Empty for a question without the field. */
  of: ReadonlyMap<string, string>;
}

/** The fields by which the questions of a cell are grouped. */
export interface Grouped {
  slices?: Grouping | undefined;
  clusters?: Grouping | undefined;
}

/** Slices at most: with more, a field names documents rather than kinds. */
export const MOST_SLICES = 50;

/** Collects the slice and the cluster of each question, and returns them by question id. */
export class QuestionGroups {
  private readonly slices = new Map<string, string>();
  private readonly clusters = new Map<string, string>();

  constructor(private readonly fields: GroupFields) {}

  add({ id, fields }: RunQuestion): void {
    const { by, cluster } = this.fields;
    if (by !== undefined) this.slices.set(id, fields?.[by] ?? '');
    if (cluster !== undefined) this.clusters.set(id, fields?.[cluster] ?? '');
  }

  groups(): Grouped {
    const { by, cluster } = this.fields;
    return {
      ...(by !== undefined && { slices: { field: by, of: this.slices } }),
      ...(cluster !== undefined && { clusters: { field: cluster, of: this.clusters } }),
    };
  }
}

/**
 * Returns cells whose questions are grouped by what they score in a metric, if somebody names one in
 * the place of a field: by "yes" and "no", or the value. A question is in one slice for all cells of
 * its data set: of the value that all of them have that score it, else of "differs".
 *
 * @param by A field, or the name or title of a metric; a field of that name comes first.
 */
export function slicedByMetric<C extends SlicedCell>(
  cells: readonly C[],
  by: string | undefined,
): C[] {
  const metric =
    by === undefined
      ? undefined
      : metricOf(
          by,
          cells.flatMap((cell) => cell.metrics),
        );
  if (!metric || cells.some(({ fields }) => fields?.has(by ?? ''))) return [...cells];
  const found = new Map<string, Map<string, string>>();
  for (const { data, metrics } of cells) {
    const { scores, range } = metrics.find((one) => one.metric === metric.metric) ?? {};
    const values = found.get(data) ?? new Map<string, string>();
    for (const [id, score] of scores ?? []) {
      const value = sliceValue(score, range);
      const before = values.get(id) ?? value;
      values.set(id, before === value ? value : 'differs');
    }
    found.set(data, values);
  }
  return cells.map((cell) => {
    const values = found.get(cell.data);
    const of = new Map(cell.order.map((id) => [id, values?.get(id) ?? '']));
    return { ...cell, slices: { field: metric.metric, of } };
  });
}

/** What is needed of a cell to group its questions by a metric. */
interface SlicedCell extends Grouped {
  data: string;
  metrics: readonly ComparedMetric[];
  order: readonly string[];
  fields?: ReadonlySet<string> | undefined;
}

/** Returns a score as tables show it: a share in per cent, of a metric with a range its value. */
export function shownValue(score: number, range: Range | undefined): number {
  return Number((range ? scaledValue(score, range) : 100 * score).toFixed(6));
}

function sliceValue(score: number, range: Range | undefined): string {
  if (range) return count(scaledValue(score, range));
  return score === 1 ? 'yes' : score === 0 ? 'no' : percent(score);
}

/** Returns the slices of cells, each once, in the order of their names; "" for questions without. */
export function sliceValues(cells: readonly Grouped[]): string[] {
  const values = new Set(cells.flatMap(({ slices }) => [...(slices?.of.values() ?? [])]));
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns the name of a slice of questions, such as "hop 2". */
export function sliceText(field: string, value: string): string {
  return value === '' ? `without ${field}` : `${field} ${value}`;
}

/** Returns the ids of the questions that are not of a slice. */
export function outsideOf({ of }: Grouping, value: string): Set<string> {
  return new Set([...of].flatMap(([id, own]) => (own === value ? [] : [id])));
}

/** Returns the number of clusters; a question without the field is a cluster of its own. */
function clusterCount({ of }: Grouping): number {
  const alone = [...of.values()].filter((value) => value === '').length;
  return new Set([...of.values()].filter((value) => value !== '')).size + alone;
}

/**
 * Checks that the questions of cells have the fields that they are grouped by.
 *
 * @param declaredBy What names the field of clusters, if it is no flag.
 * @throws Failure BadInput for a field, or metric, that no question has, more than 50 slices, and fewer than 20
 *   clusters, from whose differences nothing could be concluded.
 */
export function checkGroups(
  cells: readonly (Grouped & Partial<Pick<SlicedCell, 'fields' | 'metrics'>>)[],
  declaredBy?: 'study',
): void {
  const names = [...new Set(cells.flatMap(({ fields }) => [...(fields ?? [])]))];
  const metrics = new Set(cells.flatMap(({ metrics = [] }) => metrics.map(({ metric }) => metric)));
  for (const { slices, clusters } of cells) {
    for (const [flag, grouping] of Object.entries({ by: slices, cluster: clusters })) {
      if (!grouping || grouping.of.size === 0) continue;
      if ([...grouping.of.values()].some((value) => value !== '')) continue;
      const there = names.length > 0 ? `; there are ${names.join(', ')}` : '';
      const scored = flag === 'by' ? [...metrics] : [];
      const meant = suggestion(grouping.field, [...names, ...scored]);
      const which = flag === 'cluster' && declaredBy ? ', which the study declares' : '';
      const what = flag === 'by' ? 'field or metric' : 'field';
      const problem = `no question has a ${what} "${grouping.field}"`;
      throw badInput(flag, `${problem}${which}${meant || there}`);
    }
    if (clusters && clusters.of.size > 0 && clusterCount(clusters) < ENOUGH) {
      const which = declaredBy ? ', which the study declares,' : '';
      throw badInput(
        'cluster',
        `"${clusters.field}"${which} makes ${clusterCount(clusters)} clusters of the questions, and nothing can be concluded from fewer than ${ENOUGH}; name another field, or none`,
      );
    }
  }
  const values = sliceValues(cells);
  if (values.length > MOST_SLICES) {
    const field = cells.find(({ slices }) => slices)?.slices?.field ?? '';
    throw badInput(
      'by',
      `"${field}" has ${values.length} values, and there is room for ${MOST_SLICES} slices; name a field with fewer`,
    );
  }
}

/** Returns the mean of a metric in a slice with its 95 % interval; undefined without a question. */
export function sliceMean(
  { scores, wholes }: { scores: Scores; wholes?: Scores | undefined },
  { slices, clusters }: Grouped,
  value: string,
): (Interval & { questions: number }) | undefined {
  const own = new Map([...scores].filter(([id]) => slices?.of.get(id) === value));
  if (own.size === 0) return undefined;
  return { ...weightedInterval(own, wholes, clusters?.of), questions: own.size };
}
