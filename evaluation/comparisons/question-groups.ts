/**
 * Groups questions by the value of a stored field or by their score in a metric: into slices, which
 * have figures of their own, and into clusters, whose questions are one draw. Pure.
 */
import { type Range, scaledValue } from '../../core/metric.js';
import { suggestion } from '../../core/options/nearest.js';
import { badInput } from '../../core/options/problems.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import { count, percent } from '../runs/number-text.js';
import { MIN_QUESTIONS, type Scores } from '../statistics/compare-scores.js';
import { type Interval, weightedInterval } from '../statistics/score-interval.js';
import { type ComparedMetric, metricNamed } from './tested-metrics.js';

/**
 * The names by which questions are grouped: of a field or metric for slices (`by`), and of a field
 * for clusters (`cluster`); each undefined for none.
 */
export interface GroupFields {
  /** Field or metric whose values split the questions into slices; undefined for no slices. */
  by?: string | undefined;
  /** Field whose value the questions of a cluster share; undefined for no clusters. */
  cluster?: string | undefined;
}

/**
 * A grouping of questions by a field: the field's name, and its value by question id. Questions
 * with the same value are one group.
 */
export interface Grouping {
  field: string;
  /** Value of the field by question id; '' if the question does not have the field. */
  of: ReadonlyMap<string, string>;
}

/**
 * The grouping of a cell's questions into slices and that into clusters; each undefined if there
 * is none.
 */
export interface CellGroups {
  slices?: Grouping | undefined;
  clusters?: Grouping | undefined;
}

/** Maximum number of slices of a table. A field with more values is refused as a mistake. */
export const MAX_SLICES = 50;

/**
 * Collects the values of the slice and cluster fields of a cell's questions, which are added one
 * by one. `groups` returns both groupings.
 */
export class QuestionGroups {
  private readonly slices = new Map<string, string>();
  private readonly clusters = new Map<string, string>();

  constructor(private readonly fields: GroupFields) {}

  add({ id, fields }: RunQuestion): void {
    const { by, cluster } = this.fields;
    if (by !== undefined) this.slices.set(id, fields?.[by] ?? '');
    if (cluster !== undefined) this.clusters.set(id, fields?.[cluster] ?? '');
  }

  groups(): CellGroups {
    const { by, cluster } = this.fields;
    return {
      ...(by !== undefined && { slices: { field: by, of: this.slices } }),
      ...(cluster !== undefined && { clusters: { field: cluster, of: this.clusters } }),
    };
  }
}

/**
 * Returns copies of the cells with their questions sliced by the score in a metric, if `by` names a
 * metric and no field; otherwise the same cells. The slices are "yes", "no" or a value. All cells
 * of a data set have the same slices: a question that they score differently is in the slice
 * "differs", and one that none of them scores in the slice ''.
 *
 * @param by A field, or the name or title of a metric.
 */
export function slicedByMetric<C extends SliceableCell>(
  cells: readonly C[],
  by: string | undefined,
): C[] {
  const metric =
    by === undefined
      ? undefined
      : metricNamed(
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

/** The part of a cell that is needed to slice its questions by a metric. */
interface SliceableCell extends CellGroups {
  data: string;
  metrics: readonly ComparedMetric[];
  order: readonly string[];
  fields?: ReadonlySet<string> | undefined;
}

/**
 * Returns a score from 0 to 1 as the number that tables show: in per cent, or as a value in the
 * unit of the metric's range.
 */
export function shownValue(score: number, range: Range | undefined): number {
  return Number((range ? scaledValue(score, range) : 100 * score).toFixed(6));
}

function sliceValue(score: number, range: Range | undefined): string {
  if (range) return count(scaledValue(score, range));
  return score === 1 ? 'yes' : score === 0 ? 'no' : percent(score);
}

/**
 * Returns the values of all slices of the cells, each once, sorted with numbers by size; '' stands
 * for questions without the field.
 */
export function sliceValues(cells: readonly CellGroups[]): string[] {
  const values = new Set(cells.flatMap(({ slices }) => [...(slices?.of.values() ?? [])]));
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * Returns the name of a slice for display: its field and value, "hop 2", or "without hop" for the
 * value ''.
 */
export function sliceText(field: string, value: string): string {
  return value === '' ? `without ${field}` : `${field} ${value}`;
}

/** Returns the ids of the questions whose value in a grouping is another than the given one. */
export function idsOutsideSlice({ of }: Grouping, value: string): Set<string> {
  return new Set([...of].flatMap(([id, own]) => (own === value ? [] : [id])));
}

/** Returns the number of clusters. A question without the field is a cluster of its own. */
function clusterCount({ of }: Grouping): number {
  const alone = [...of.values()].filter((value) => value === '').length;
  return new Set([...of.values()].filter((value) => value !== '')).size + alone;
}

/**
 * Throws if the questions of cells cannot be grouped by the fields that were named.
 *
 * @param declaredBy Set if the study declares the cluster field, for the message.
 * @throws Failure BadInput for a field or metric that no question has, for more than 50 slices, and
 * for fewer than 20 clusters.
 */
export function checkGroups(
  cells: readonly (CellGroups & Partial<Pick<SliceableCell, 'fields' | 'metrics'>>)[],
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
    if (clusters && clusters.of.size > 0 && clusterCount(clusters) < MIN_QUESTIONS) {
      const which = declaredBy ? ', which the study declares,' : '';
      throw badInput(
        'cluster',
        `"${clusters.field}"${which} groups the questions into ${clusterCount(clusters)} clusters, and nothing can be concluded from fewer than ${MIN_QUESTIONS}; name another field, or none`,
      );
    }
  }
  const values = sliceValues(cells);
  if (values.length > MAX_SLICES) {
    const field = cells.find(({ slices }) => slices)?.slices?.field ?? '';
    throw badInput(
      'by',
      `"${field}" has ${values.length} values, and a table has at most ${MAX_SLICES} slices; name a field with fewer`,
    );
  }
}

/**
 * Returns the mean score of the questions of a cell in one slice with its 95 % interval, as
 * fractions (`mean`, `low`, `high`), and the number of these `questions`; undefined if none of
 * them has a score.
 */
export function sliceMean(
  { scores, wholes }: { scores: Scores; wholes?: Scores | undefined },
  { slices, clusters }: CellGroups,
  value: string,
): (Interval & { questions: number }) | undefined {
  const own = new Map([...scores].filter(([id]) => slices?.of.get(id) === value));
  if (own.size === 0) return undefined;
  return { ...weightedInterval(own, wholes, clusters?.of), questions: own.size };
}
