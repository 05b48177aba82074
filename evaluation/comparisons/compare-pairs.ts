/**
 * Compares pairs of cells: differences, tests, corrections and decisions. Tables, reports and exports
 * all show its results. Pure.
 */
import type { AnswerForm } from '../../core/method.js';
import { normalizedScore, type Range, scaledValue } from '../../core/metric.js';
import type { ShownMetric } from '../runs/metrics.js';
import {
  type ComparedScores,
  compareScores,
  MIN_QUESTIONS,
  type Scores,
  type TestResult,
  testFamily,
} from '../statistics/compare-scores.js';
import type { Decision } from '../statistics/decide.js';
import { LEVEL } from '../statistics/paired-difference.js';
import { decidePair, type OrderedCell, type SequentialRule } from './paired-prefix.js';
import { idsOutsideSlice, sliceValues } from './question-groups.js';
import type { ComparedMetric } from './tested-metrics.js';

/**
 * A cell of a study, or a run, with its scores by metric, the order of its questions, and the form
 * of its answers.
 */
export interface ComparedCell extends OrderedCell {
  /** The form of its method's answers: a few words, prose or a list. */
  form: AnswerForm;
}

/** Two cells to compare: `first`, and `second`, with which it is compared. */
export interface Pair<C extends ComparedCell> {
  first: C;
  second: C;
  /** Ids of questions to leave out. */
  without?: ReadonlySet<string> | undefined;
}

/**
 * The rule by which a family of comparisons is tested together: the metrics by data set, and the
 * margin, the number of missing comparisons, or the sequential rule.
 */
export interface FamilyRule {
  /** Metrics to test, by the key of the data set (`data` of its cells). */
  metrics: ReadonlyMap<string, readonly ShownMetric[]>;
  /** Largest accepted loss, from 0 to 1: tests "not worse by the margin" instead of "different". */
  margin?: number | undefined;
  /**
   * Number of further comparisons that the correction counts, because their cells have no scores
   * yet. @default 0
   */
  missing?: number | undefined;
  /**
   * Rule of a sequential test, for a study that stops once it is decided; undefined for a test of
   * fixed size.
   */
  sequential?: SequentialRule | undefined;
}

/**
 * The conclusion of a comparison about its first cell, such as "better" or "worse", or a word for
 * the reason why there is none, such as "tooFew".
 */
export type PairDecision =
  | 'better'
  | 'worse' // with a margin: by the margin or more
  | 'notWorse' // by the margin or more
  | 'noDifference' // no difference is shown
  | 'undecided' // not shown yet; only with a margin or in a sequential test
  | 'alike' // shown to be no more than delta apart; only in a sequential test
  | 'cannot' // the remaining questions cannot decide it; only in a sequential test
  | 'tooFew' // fewer than 20 questions, or clusters of them
  | 'formsDiffer'; // answers of these forms cannot be compared by this metric

/**
 * The comparison of a pair of cells in one metric, over the questions that both have scores for.
 * The difference is the mean of first minus second, from -1 to 1; unanswered questions count as 0.
 */
export interface Comparison<P> extends Omit<ComparedScores, 'difference'>, Omit<TestResult, 'p'> {
  pair: P;
  /** Slice of the questions that are compared; undefined for all of them. */
  slice?: { field: string; value: string };
  /**
   * Field whose value the questions of a cluster share; undefined if each question is a draw of its
   * own.
   */
  cluster?: string;
  metric: string;
  title: string;
  /**
   * Range of a metric with its own unit, of which scores and differences are fractions; undefined
   * for metrics from 0 to 1.
   */
  range?: Range;
  /** Set if a higher value is not better: `better` then means higher, `worse` lower. */
  isNeutral?: true;
  /** The uncorrected p-value; null if the answers' forms differ, so that nothing is concluded. */
  p: number | null;
  decision: PairDecision;
  /**
   * Number of comparisons over which p is corrected, this one included; 0 if it is left out of the
   * correction.
   */
  family: number;
  /**
   * Effective sample size: the number of right-or-wrong answers that would give the same certainty.
   */
  count: number;
  /** The margin, from 0 to 1; undefined without one. */
  margin?: number;
  /**
   * A metric that can compare answers of these different forms; null if there is none. Undefined if
   * this metric can compare them.
   */
  fits?: Pick<ShownMetric, 'metric' | 'title'> | null;
  /**
   * Result of the sequential test, from which `difference`, `p` and `corrected` are taken;
   * undefined for a test of fixed size.
   */
  sequential?: Decision;
}

/**
 * Returns the comparison of each pair of cells in each of the rule's metrics in which both have
 * scores, in the order of the pairs, then slices, then metrics. Holm's correction is over all of
 * these together, and over the rule's `missing` ones, but not over those with fewer than 20
 * questions (or clusters) or with answers of different forms, from which nothing is concluded. A
 * sequential rule splits alpha over all comparisons instead.
 *
 * @example const [first] = comparePairs([{ first: sure, second: base }], { metrics });
 */
export function comparePairs<C extends ComparedCell, P extends Pair<C>>(
  pairs: readonly P[],
  { metrics, margin, missing, sequential }: FamilyRule,
): Comparison<P>[] {
  const tested = margin === undefined ? 0 : -margin;
  const slices = sliceValues(pairs.map(({ first }) => first));
  const absent = (missing ?? 0) * Math.max(1, slices.length);
  const candidates = pairs.flatMap(slicedPairs).flatMap(({ pair, slice, without }) =>
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
      return [
        { pair, slice, metric, range, scores, compared, fits: metricAcrossForms(pair, metric) },
      ];
    }),
  );
  const meant = pairs.reduce(
    (total, { first }) => total + Math.max(1, metrics.get(first.data)?.length ?? 1),
    0,
  );
  const isTested = (one: (typeof candidates)[number]) =>
    one.fits === undefined && one.compared.draws >= MIN_QUESTIONS;
  const testable = candidates.filter(isTested);
  const found = testFamily(
    testable.map(({ compared }) => compared.difference),
    absent,
  );
  return candidates.map((one): Comparison<P> => {
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
      family: isTested(one) ? testable.length + absent : 0,
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

/**
 * Returns those cells in the comparisons of which some questions were not asked because a
 * sequential test had decided all of their comparisons.
 */
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

function decisionOf(
  { corrected, difference }: TestResult,
  margin: number | undefined,
): PairDecision {
  if (corrected === null) return 'tooFew';
  if (corrected >= LEVEL) return margin === undefined ? 'noDifference' : 'undecided';
  if (difference.mean > -(margin ?? 0)) return margin === undefined ? 'better' : 'notWorse';
  return 'worse';
}

/** Returns the result of a sequential test in the form of a fixed-size test. */
function sequentiallyTested(
  { verdict, p, level, comparisons, band }: Decision,
  { difference }: TestResult,
): TestResult & Pick<Comparison<unknown>, 'decision'> {
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
 * Returns the scores of two cells as fractions of one common range. The largest possible count can
 * differ between them, since it depends on the options.
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

/** Returns a copy of a cell with other scores in a metric. */
function withScores<C extends ComparedCell>(cell: C, metric: ShownMetric, scores: Scores): C {
  const metrics = cell.metrics.map((one) =>
    one.metric === metric.metric ? { ...one, scores } : one,
  );
  return { ...cell, metrics };
}

/** Returns the pair in each slice; the pair itself if there are no slices. */
function slicedPairs<C extends ComparedCell, P extends Pair<C>>(
  pair: P,
): { pair: P; slice?: { field: string; value: string }; without: P['without'] }[] {
  const { first, without } = pair;
  const { slices } = first;
  if (!slices) return [{ pair, without }];
  return sliceValues([first]).map((value) => ({
    pair,
    slice: { field: slices.field, value },
    without: new Set([...(without ?? []), ...idsOutsideSlice(slices, value)]),
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
 * Returns the name and title of the metric that can compare the two cells in place of the given
 * one, whose scores depend on the form of the answers (such as short or prose); null if there is
 * none. Undefined if the given metric can compare them itself.
 */
export function metricAcrossForms<C extends ComparedCell>(
  { first, second }: Pair<C>,
  { acrossForms }: ShownMetric,
): Comparison<unknown>['fits'] {
  if (first.form === second.form || acrossForms === undefined) return undefined;
  if (acrossForms === false || !metricOf(second, acrossForms)) return null;
  const found = metricOf(first, acrossForms);
  return found ? { metric: found.metric, title: found.title } : null;
}
