/** Writes results of comparisons as text, for all outputs alike. Pure. */
import type { AnswerForm } from '../../core/method.js';
import type { Range } from '../../core/metric.js';
import { differenceText, percent, plural, points } from '../runs/number-text.js';
import { MIN_QUESTIONS } from '../statistics/compare-scores.js';
import { PAIRED_TEST } from '../statistics/paired-difference.js';
import type { Interval } from '../statistics/score-interval.js';
import type { ComparedCell, Comparison, Pair, PairDecision } from './compare-pairs.js';

type AnyComparison = Comparison<Pair<ComparedCell>>;

/** The names of the first and the second cell of a comparison, for display. */
export interface PairNames {
  first: string;
  second: string;
}

/**
 * Returns the decision of a comparison as a clause with the given names of its cells, such as
 * "sure is better" or "no difference shown".
 */
export function decisionWords(comparison: AnyComparison, { first, second }: PairNames): string {
  const { decision, margin, sequential, isNeutral } = comparison;
  const better = isNeutral ? 'higher' : 'better';
  const by = margin === undefined ? '' : `${percent(margin)} points`;
  const words: Record<Exclude<PairDecision, 'formsDiffer'>, string> = {
    better: `${first} is ${better}`,
    worse: margin === undefined ? `${second} is ${better}` : `${first} is worse by ${by} or more`,
    notWorse: `${first} is not worse by ${by}`,
    noDifference: 'no difference shown',
    undecided:
      margin === undefined ? 'not decided yet' : `not shown whether ${first} is worse by ${by}`,
    alike: `no more than ${percent(sequential?.delta ?? 0)} points apart`,
    cannot: 'the remaining questions cannot decide it',
    tooFew: `fewer than ${MIN_QUESTIONS} ${comparison.cluster === undefined ? 'questions' : 'clusters'}, so nothing is concluded`,
  };
  return decision === 'formsDiffer' ? formsWords(comparison, { first, second }) : words[decision];
}

const FORMS: Record<AnswerForm, string> = {
  short: 'in a few words',
  prose: 'in prose',
  list: 'with a list',
};

function formsWords({ pair, title, fits }: AnyComparison, { first, second }: PairNames): string {
  const forms = `${first} answers ${FORMS[pair.first.form]}, ${second} ${FORMS[pair.second.form]}`;
  const other = fits
    ? `${fits.title} can (metric ${fits.metric})`
    : 'they have no score in a metric that can';
  return `${title} cannot compare these answers: ${forms}; ${other}`;
}

/**
 * Returns whether a comparison has shown a difference, or with a margin that the first cell is or
 * is not worse by it. False if it has only shown that the cells are alike.
 */
export function isDifferenceShown({ decision }: Pick<AnyComparison, 'decision'>): boolean {
  return decision === 'better' || decision === 'worse' || decision === 'notWorse';
}

/**
 * Returns the difference of a comparison with its interval and confidence as text, in percentage
 * points or in the unit of the metric's range: "+1.6 (−1.0 to +4.2 at 97.5 %)".
 */
export function differenceWords({
  difference,
  level,
  range,
}: Pick<AnyComparison, 'difference' | 'level' | 'range'>): string {
  return `${differenceText(difference.mean, { range })} (${rangeText(difference, level, range)})`;
}

/**
 * Returns the ends of an interval of differences, given as fractions, and its confidence as text,
 * in percentage points or in the unit of the range: "−1.0 to +4.2 at 97.5 %".
 *
 * @param level Significance level of the interval, such as 0.025.
 */
export function rangeText({ low, high }: Interval, level: number, range?: Range): string {
  const [from, to] = [low, high].map((end) => differenceText(end, { range }));
  return `${from} to ${to} at ${levelText(level)} %`;
}

/**
 * Returns, for a significance level as a fraction, the confidence in per cent without the sign
 * "%": "97.5" for 0.025.
 */
export function levelText(level: number): string {
  return String(Number((100 * (1 - level)).toFixed(2)));
}

/**
 * Returns a sentence that names the statistical test of the comparisons and its correction;
 * undefined if there are no comparisons.
 */
export function testWords(comparisons: readonly AnyComparison[]): string | undefined {
  const [first] = comparisons;
  if (!first) return undefined;
  if (first.sequential) {
    const { alpha, comparisons: all } = first.sequential;
    return `Test: sequential, alpha ${alpha} split over ${plural(all, 'comparison')}.`;
  }
  const family = Math.max(...comparisons.map((one) => one.family));
  const corrected =
    family > 1 ? `; p is corrected by Holm over ${plural(family, 'comparison')}` : '';
  const tested = first.margin === undefined ? '' : marginWords(first.margin);
  const clusters =
    first.cluster === undefined
      ? ''
      : `; all questions with the same ${first.cluster} count as one draw`;
  return `Test: ${PAIRED_TEST.name}${clusters}${corrected}${tested}.`;
}

function marginWords(margin: number): string {
  return `; p is about a difference of ${points(-margin)} points, not of 0`;
}
