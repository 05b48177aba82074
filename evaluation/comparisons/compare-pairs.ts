/**
 * The one place that draws conclusions from scores: how pairs of cells differ, by which test,
 * corrected over which family, and what is decided. Tables, reports and exports show its list.
 * Pure.
 */
import type { AnswerForm } from '../../core/method.js';
import { normalizedScore, type Range, scaledValue } from '../../core/metric.js';
import type { ShownMetric } from '../runs/metrics.js';
import {
  type ComparedScores,
  compareScores,
  ENOUGH,
  type Scores,
  type Tested,
  testedTogether,
} from '../statistics/compare-scores.js';
import type { Decision } from '../statistics/decide.js';
import { LEVEL } from '../statistics/paired-difference.js';
import { decidePair, type OrderedCell, type SequentialRule } from './paired-prefix.js';
import { outsideOf, sliceValues } from './question-groups.js';
import type { ComparedMetric } from './tested-metrics.js';

/** One experiment, asked once or several times, as it is compared. */
export interface ComparedCell extends OrderedCell {
  /** The form of its method's answers. */
  form: AnswerForm;
}

/** A cell and the one that it is compared with. */
export interface Pair<C extends ComparedCell> {
  first: C;
  second: C;
  /** Questions that take no part. */
  without?: ReadonlySet<string> | undefined;
}

/** The rule by which the pairs of a family are tested. */
export interface FamilyRule {
  /** The metrics that are tested, by data set. */
  metrics: ReadonlyMap<string, readonly ShownMetric[]>;
  /** Largest accepted loss, from 0 to 1; the decision is then "not worse by it". */
  margin?: number | undefined;
  /** Comparisons of the same family that are not among these. @default 0 */
  missing?: number | undefined;
  /** The rule of a study that stops when it is decided. */
  sequential?: SequentialRule | undefined;
}

/** What a test decides about the first of a pair, compared with the second. */
export type PairDecision =
  | 'better'
  | 'worse' // with a margin: by the margin or more
  | 'notWorse' // by the margin
  | 'noDifference' // no difference is shown
  | 'undecided' // of a margin or a sequential test: not yet shown
  | 'alike' // shown to be no more than delta apart; only of a sequential test
  | 'cannot' // the questions that are left do not suffice; only of a sequential test
  | 'tooFew' // fewer than 20 questions, or clusters of them
  | 'formsDiffer'; // answers of these forms cannot be compared by this metric

/** The difference is that of the first less the second, with unanswered questions as 0. */
export interface Comparison<P> extends Omit<ComparedScores, 'difference'>, Omit<Tested, 'p'> {
  pair: P;
  /** The slice of the questions that it is of; left out if it is of all of them. */
  slice?: { field: string; value: string };
  /** The field whose value the questions of a draw share; left out if each question is one. */
  cluster?: string;
  metric: string;
  title: string;
  /**
   * Range of the metric, of which scores and differences are shares; absent for a metric without
   * one.
   */
  range?: Range;
  /** Set if neither more nor less is better; `better` then stands for higher, `worse` for lower. */
  isNeutral?: true;
  /** The p-value; null if nothing can be concluded from the scores. */
  p: number | null;
  decision: PairDecision;
  /** Comparisons that p is corrected over, this one included; 0 if it is none of them. */
  family: number;
  /** Number of right or wrong answers that would give the same certainty. */
  count: number;
  /** The margin, from 0 to 1; left out if none was asked for. */
  margin?: number;
  /** The metric that compares answers of different forms; null if there is none. */
  fits?: Pick<ShownMetric, 'metric' | 'title'> | null;
  /** Result of the sequential test; difference, p and corrected p are then its own. */
  sequential?: Decision;
}

/**
 * Compares the cells of each pair in each metric that both have scores in. Holm's correction is over
 * all of these together, but for those of fewer than 20 questions and of answers whose forms differ,
 * from which nothing is concluded. The pairs of a study that stops when it is decided are read by
 * its sequential test, with alpha split over all of its comparisons.
 *
 * @example const [first] = comparePairs([{ first: sure, second: base }], { metrics });
 */
export function comparePairs<C extends ComparedCell, P extends Pair<C>>(
  pairs: readonly P[],
  { metrics, margin, missing, sequential }: FamilyRule,
): Comparison<P>[] {
  const tested = margin === undefined ? 0 : -margin;
  const slices = sliceValues(pairs.map(({ first }) => first));
  const untold = (missing ?? 0) * Math.max(1, slices.length);
  const untested = pairs.flatMap(slicedPairs).flatMap(({ pair, slice, without }) =>
    (metrics.get(pair.first.data) ?? []).flatMap((metric) => {
      const [one, other] = [pair.first, pair.second].map((cell) => metricOf(cell, metric.metric));
      if (!one || !other || !haveCommon(one.scores, other.scores, without)) return [];
      const { wholes } = one;
      const { first, second, range } = onOneRange(one, other);
      const compared = compareScores(first, second, {
        wholes,
        without,
        clusters: pair.first.clusters?.of,
        tested,
      });
      const scores = [first, second] as const;
      return [{ pair, slice, metric, range, scores, compared, fits: fittingBoth(pair, metric) }];
    }),
  );
  const meant = pairs.reduce(
    (so, { first }) => so + Math.max(1, metrics.get(first.data)?.length ?? 1),
    0,
  );
  const isTested = (one: (typeof untested)[number]) =>
    one.fits === undefined && one.compared.draws >= ENOUGH;
  const testable = untested.filter(isTested);
  const found = testedTogether(
    testable.map(({ compared }) => compared.difference),
    untold,
  );
  return untested.map((one): Comparison<P> => {
    const { pair, slice, metric, range, scores, compared, fits } = one;
    const cluster = pair.first.clusters?.field;
    const isNeutral = metric.group === 'chain';
    const { difference, rightOnly, ...counts } = compared;
    const fixed = found(difference);
    const base = {
      pair,
      ...(slice && { slice }),
      ...(cluster !== undefined && { cluster }),
      metric: metric.metric,
      title: metric.title,
      ...(range && { range }),
      ...(isNeutral && { isNeutral: true as const }),
      ...counts,
      ...(rightOnly && !isNeutral && { rightOnly }),
      family: isTested(one) ? testable.length + untold : 0,
      count: difference.count,
      ...(margin !== undefined && { margin }),
    };
    if (fits !== undefined) {
      return { ...base, ...fixed, p: null, decision: 'formsDiffer', fits };
    }
    if (!sequential) return { ...base, ...fixed, decision: decisionOf(fixed, margin) };
    const comparisons = Math.max(sequential.comparisons, meant);
    const rule = { ...sequential, comparisons };
    const [first, second] = scores;
    const cells = [withScores(pair.first, metric, first), withScores(pair.second, metric, second)];
    const decided = decidePair(cells as [C, C], metric.metric, rule);
    return {
      ...base,
      ...sequentiallyTested(decided, fixed),
      family: comparisons,
      sequential: decided,
    };
  });
}

/** Returns the cells that were not asked all of their questions, since all their comparisons ended. */
export function stoppedCells<C extends ComparedCell>(
  comparisons: readonly Comparison<Pair<C>>[],
): C[] {
  const compared = new Set(comparisons.flatMap(({ pair }) => [pair.first, pair.second]));
  return [...compared].filter((cell) => {
    const own = comparisons.filter(
      ({ pair, sequential }) => sequential && (pair.first === cell || pair.second === cell),
    );
    const isOver = own.length > 0 && own.every(({ decision }) => decision !== 'undecided');
    return isOver && cell.ended.size < cell.order.length;
  });
}

function decisionOf({ corrected, difference }: Tested, margin: number | undefined): PairDecision {
  if (corrected === null) return 'tooFew';
  if (corrected >= LEVEL) return margin === undefined ? 'noDifference' : 'undecided';
  if (difference.mean > -(margin ?? 0)) return margin === undefined ? 'better' : 'notWorse';
  return 'worse';
}

/** Returns the result of a sequential test in the form of a fixed-size test. */
function sequentiallyTested(
  { verdict, p, level, comparisons, band }: Decision,
  { difference }: Tested,
): Tested & Pick<Comparison<unknown>, 'decision'> {
  const { mean, low, high } = band.at(-1) ?? { mean: difference.mean, low: -1, high: 1 };
  return {
    difference: { mean, low, high },
    p,
    corrected: Math.min(1, p * comparisons),
    level,
    decision: verdict,
  };
}

/**
 * Returns the scores of two cells as shares of one range: what a count can be at most depends on the
 * options.
 */
function onOneRange(one: ComparedMetric, other: ComparedMetric) {
  const ranges = [one.range, other.range].filter((range) => range !== undefined);
  if (ranges.length === 0) return { first: one.scores, second: other.scores };
  const range = {
    from: Math.min(...ranges.map(({ from }) => from)),
    to: Math.max(...ranges.map(({ to }) => to)),
  };
  const moved = ({ scores, range: own }: ComparedMetric): Scores =>
    new Map(
      [...scores].map(([id, share]) => [id, normalizedScore(scaledValue(share, own), range)]),
    );
  return { first: moved(one), second: moved(other), range };
}

/** Returns a cell with other scores in a metric. */
function withScores<C extends ComparedCell>(cell: C, metric: ShownMetric, scores: Scores): C {
  const metrics = cell.metrics.map((one) =>
    one.metric === metric.metric ? { ...one, scores } : one,
  );
  return { ...cell, metrics };
}

/** Returns a pair, or with slices the pair in each slice. */
function slicedPairs<C extends ComparedCell, P extends Pair<C>>(
  pair: P,
): { pair: P; slice?: { field: string; value: string }; without: P['without'] }[] {
  const { first, without } = pair;
  const { slices } = first;
  if (!slices) return [{ pair, without }];
  return sliceValues([first]).map((value) => ({
    pair,
    slice: { field: slices.field, value },
    without: new Set([...(without ?? []), ...outsideOf(slices, value)]),
  }));
}

function metricOf({ metrics }: ComparedCell, name: string) {
  return metrics.find(({ metric }) => metric === name);
}

function haveCommon(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
  without: ReadonlySet<string> | undefined,
): boolean {
  return [...one.keys()].some((id) => other.has(id) && !without?.has(id));
}

/**
 * Returns undefined if the metric compares the answers of both; otherwise the metric that does, or
 * null.
 */
export function fittingBoth<C extends ComparedCell>(
  { first, second }: Pair<C>,
  { acrossForms }: ShownMetric,
): Comparison<unknown>['fits'] {
  if (first.form === second.form || acrossForms === undefined) return undefined;
  if (acrossForms === false || !metricOf(second, acrossForms)) return null;
  const found = metricOf(first, acrossForms);
  return found ? { metric: found.metric, title: found.title } : null;
}
