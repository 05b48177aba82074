/**
 * Describes how metrics are shown: their titles and their order, and which one decides whether an
 * answer is right.
 */

import { isScorer, type Metric, type Range, scaledValue } from '../../core/metric.js';
import type { RunMetric } from '../../core/run/run.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { BUILT_IN } from '../metrics/built-in.js';
import type { Interval } from '../statistics/score-interval.js';

/** Groups of metrics, in the order shown. */
const GROUPS = [
  'answer', // scored from the answer alone
  'judged', // scored by a judge
  'retrieval', // scored from the passages
  'chain', // reported by the method's chain
] as const;
/**
 * The name of a group of metrics that are shown together: "answer" (scored from the answer alone),
 * "judged" (scored by a judge), "retrieval" (scored from the passages) or "chain" (computed from
 * the method's chain).
 */
export type MetricGroup = (typeof GROUPS)[number];

/** A metric without its code: its name, and how and where its scores are shown. */
export interface ShownMetric {
  /** Name of the metric in scores. */
  metric: string;
  title: string;
  group: MetricGroup;
  /** Whether it is shown in summaries; other metrics explain it. */
  isHeadline: boolean;
  /** Precedence in deciding whether an answer is right, lowest first; false if it never decides. */
  decides: number | false;
  /** Metric to use instead for answers of different forms; false if there is none. */
  acrossForms?: string | false;
  /** Range of values that its scores from 0 to 1 stand for; undefined if they are shares. */
  range?: Range;
  /** Position within its group. */
  place: number;
}

/**
 * Returns the description of a metric for display, without its code.
 *
 * @param place Position within its group.
 */
export function shownMetric(metric: Metric, place: number): ShownMetric {
  const { name, title, headline = true, decides = LAST, acrossForms } = metric;
  const group = isScorer(metric) ? 'answer' : (OTHER_GROUPS[metric.from] ?? 'judged');
  return {
    metric: name,
    title,
    group,
    isHeadline: headline,
    decides,
    ...(acrossForms !== undefined && { acrossForms }),
    place,
  };
}

/**
 * Returns a copy of a metric without fields other than those of `ShownMetric`, such as its scores.
 */
export function shownOnly({
  metric,
  title,
  group,
  isHeadline,
  decides,
  acrossForms,
  range,
  place,
}: ShownMetric): ShownMetric {
  const forms = acrossForms !== undefined && { acrossForms };
  return { metric, title, group, isHeadline, decides, ...forms, ...(range && { range }), place };
}

/**
 * Returns the chain metrics of a run in the order in which they are shown: its method's, then
 * custom ones.
 */
export function chainMetricsOf({
  chainMetrics = [],
  metrics: own = [],
}: Pick<RunManifest, 'metrics' | 'chainMetrics'>): ShownMetric[] {
  const ofMethod = chainMetrics.map(({ name, title, range }, place): ShownMetric => {
    const about = { group: 'chain', isHeadline: false, decides: false } as const;
    return { metric: name, title, ...about, ...(range && { range }), place };
  });
  const chains = own.filter(({ chain }) => chain).map(({ name }) => name);
  return [...ofMethod, ...metricsInOrder(chains, own)];
}

/**
 * Returns a mean score with its interval, given as fractions, in the unit of a range; unchanged
 * without a range.
 */
export function scaledInterval<I extends Interval>(interval: I, range: Range | undefined): I {
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((share) =>
    scaledValue(share, range),
  ) as [number, number, number];
  return range ? { ...interval, mean, low, high } : interval;
}

/**
 * Returns a difference of scores with its interval, given as fractions from -1 to 1, in the unit
 * of a range; unchanged without a range.
 */
export function scaledDifference<I extends Interval>(difference: I, range: Range | undefined): I {
  return range ? scaledInterval(difference, { from: 0, to: widthOf(range) }) : difference;
}

/** Returns the width of a range; 1 without a range. */
export function widthOf(range: Range | undefined): number {
  return range ? range.to - range.from : 1;
}

const OTHER_GROUPS: Partial<Record<NonNullable<Metric['from']>, MetricGroup>> = {
  passages: 'retrieval',
  chain: 'chain',
};

const LAST = Number.MAX_SAFE_INTEGER;
const OURS = new Map(BUILT_IN.map((metric, i) => [metric.name, shownMetric(metric, i)]));

/**
 * Returns the metrics with these names, each once, in the order in which they are shown: group by
 * group, custom ones after built-in ones. An unknown one is last among the judged metrics, with its
 * name as title.
 *
 * @param own Custom metrics, from the manifest or progress of a run.
 */
export function metricsInOrder(
  names: Iterable<string>,
  own: readonly RunMetric[] = [],
): ShownMetric[] {
  return shownInOrder([...names].map((name) => OURS.get(name) ?? ownMetric(name, own)));
}

function ownMetric(metric: string, own: readonly RunMetric[]): ShownMetric {
  const at = own.findIndex(({ name }) => name === metric);
  const known = own[at];
  return {
    metric,
    title: known?.title ?? metric,
    group: known?.chain ? 'chain' : known && !known.judged ? 'answer' : 'judged',
    isHeadline: known?.headline ?? false,
    decides: known?.chain ? false : (known?.decides ?? LAST),
    ...(known?.acrossForms !== undefined && { acrossForms: known.acrossForms }),
    ...(known?.range && { range: known.range }),
    place: BUILT_IN.length + (at === -1 ? own.length : at),
  };
}

/**
 * Returns each metric once, in the order in which they are shown: by group, position, then name. If
 * a metric occurs with different titles, its first occurrence is used.
 */
export function shownInOrder(metrics: readonly ShownMetric[]): ShownMetric[] {
  const first = new Map(metrics.toReversed().map((shown) => [shown.metric, shown]));
  return [...first.values()].sort(
    (a, b) =>
      GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
      a.place - b.place ||
      (a.metric < b.metric ? -1 : 1),
  );
}

/**
 * Returns the metrics that can decide whether an answer is right, the one with precedence first, in
 * a new array.
 */
export function decidingFirst<M extends Pick<ShownMetric, 'decides'>>(metrics: readonly M[]): M[] {
  const order = ({ decides }: M) => (decides === false ? Infinity : decides);
  return metrics.filter(({ decides }) => decides !== false).sort((a, b) => order(a) - order(b));
}

/**
 * Returns a map from each deciding metric's name to the number of questions for which it is the
 * main one, that is, the first deciding metric that applies.
 *
 * @param idsOf Returns the ids of the questions to which a metric applies.
 */
export function mainMetricCounts<M extends Pick<ShownMetric, 'decides' | 'metric'>>(
  metrics: readonly M[],
  idsOf: (metric: M) => Iterable<string>,
): Map<string, number> {
  const seen = new Set<string>();
  return new Map(
    decidingFirst(metrics).map((metric) => {
      const before = seen.size;
      for (const id of idsOf(metric)) seen.add(id);
      return [metric.metric, seen.size - before];
    }),
  );
}

/**
 * Returns the score, from 0 to 1, that decides whether an answer is right; undefined if no deciding
 * metric has a score.
 *
 * @param scores Scores by metric.
 * @param own Custom metrics of the run.
 */
export function decisiveScore(
  scores: Readonly<Record<string, number>>,
  own?: readonly RunMetric[],
): number | undefined {
  const [main] = decidingFirst(metricsInOrder(Object.keys(scores), own));
  return main && scores[main.metric];
}
