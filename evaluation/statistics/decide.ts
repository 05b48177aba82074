/**
 * Sequential tests, which decide after every question whether two methods differ on the same
 * questions. Pure.
 */
import { Betting, BettingSequence } from './betting.js';
import { differenceInterval, pairedDifference } from './paired-difference.js';
import type { Interval } from './score-interval.js';

/**
 * The population that a decision is about: all questions like these, or only those of the data set.
 */
export type About = 'questionsLikeThese' | 'thisDataset';

/**
 * The settings of a sequential comparison, which are fixed before the first question is asked: the
 * kind of scores, the numbers of questions and comparisons, delta, alpha, and the population.
 */
export interface DecisionRule {
  /** Kind of scores: all 0 or 1, or graded. Means over repeats are graded. */
  scores: 'yesNo' | 'graded';
  /** Total number of questions that can be asked. */
  questions: number;
  /** Smallest difference of mean scores that matters, from 0 to 1. @default 0 */
  delta?: number;
  /** Probability of one or more wrong decisions over all comparisons. @default 0.05 */
  alpha?: number;
  /** Number of comparisons over which alpha is split. @default 1 */
  comparisons?: number;
  /** Population that the decision is about. @default 'questionsLikeThese' */
  about?: About;
}

/**
 * The score differences of two methods on the first questions in the drawn order: those before the
 * first one that has not ended in both.
 */
export interface PairedPrefix {
  /** Score of the first method minus that of the second, from -1 to 1, of each counted question. */
  differences: readonly number[];
  /**
   * Number of questions of the prefix that are left out: they failed, or the metric does not apply.
   * @default 0
   */
  leftOut?: number;
  /** Number of questions that can still be asked; undefined if it is all of the remaining ones. */
  left?: number;
}

/**
 * The verdict of a sequential test about the first of two methods:
 *
 * - better, worse: shown to be so;
 * - alike: shown to differ by no more than delta, which is more than 0;
 * - cannot: the remaining questions cannot decide it, whatever their scores;
 * - undecided: more questions are needed.
 */
export type Verdict = 'better' | 'worse' | 'alike' | 'cannot' | 'undecided';

/** The mean difference of scores and its interval, from -1 to 1, after a number of questions. */
export interface BandPoint extends Interval {
  /** Number of questions counted so far. */
  asked: number;
}

/**
 * The verdict of a sequential comparison, as `decide` returns it: the settings, `verdict`, number
 * of questions at which it fell (`decidedAt`, absent if it is open), `asked` and `leftOut`
 * questions, `p`, and the mean difference with its interval by number of questions (`band`), from
 * -1 to 1.
 */
export type Decision = ReturnType<typeof decide>;

/** A sequential test, to which differences are added one by one. */
interface Sequential {
  add(difference: number): void;
  verdict(): Exclude<Verdict, 'cannot'>;
  /** Largest evidence against "no difference" so far; 1 / most is a p-value. */
  most: number;
}

/**
 * Returns the verdict of a sequential test on the questions so far (`verdict`), with its settings,
 * p-value (`p`), and the mean difference with its confidence sequence by number of questions
 * (`band`). Equal prefixes give equal verdicts. A verdict other than "undecided" does not change
 * later, except that "cannot" depends on `left`.
 *
 * Yes/no scores with delta 0 are tested by the e-process of paired outcomes. All other scores, and
 * decisions about this data set only, are tested by the hedged betting sequence. The band is
 * always that of the betting sequence, so it may contain 0 for some questions after the e-process
 * has decided.
 *
 * @throws RangeError if yes/no scores are graded, if there are more questions than the rule has,
 * if a question is left out of a decision about this data set, or for a delta, alpha or number of
 * comparisons out of range.
 */
export function decide(prefix: PairedPrefix, given: DecisionRule) {
  const rule: Required<DecisionRule> = { ...DEFAULTS, ...given };
  const { differences, leftOut = 0 } = prefix;
  check(prefix, rule);
  const level = rule.alpha / rule.comparisons;
  const { verdict, decidedAt, most } = stoppingPoint(differences, rule);
  const left = Math.min(rule.questions - differences.length - leftOut, prefix.left ?? Infinity);
  const isOpen = () =>
    [1, -1, 0].some((d) => stoppingPoint([...differences, ...repeated(d, left)], rule).decidedAt);
  return {
    ...rule,
    verdict: (verdict !== 'undecided' || isOpen() ? verdict : 'cannot') as Verdict,
    /** Number of counted questions at the decision; undefined if there is none. */
    ...(decidedAt !== undefined && { decidedAt }),
    test: isPaired(rule) ? ('pairedOutcomes' as const) : ('betting' as const),
    /** Significance level of this comparison: alpha divided by the number of comparisons. */
    level,
    /** Number of questions of the prefix that count, and of those that are left out. */
    asked: differences.length,
    leftOut,
    /** P-value of "no difference", valid at every check. */
    p: Math.min(1, 1 / most),
    /**
     * Mean difference and its confidence sequence, by number of questions; the current one is last.
     */
    band: bandOf(differences, rule, level),
    /** Result of a fixed-size test of the same questions; undefined without any. */
    ...(differences.length > 0 && { fixed: fixedOf(differences, level) }),
  };
}

const DEFAULTS = {
  delta: 0,
  alpha: 0.05,
  comparisons: 1,
  about: 'questionsLikeThese',
} as const;

function check({ differences, leftOut = 0 }: PairedPrefix, rule: Required<DecisionRule>): void {
  const { questions, scores, about, delta, alpha, comparisons } = rule;
  if (!(delta >= 0 && delta < 1)) throw new RangeError(`delta is ${delta}, not from 0 to 1.`);
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha is ${alpha}, not between 0 and 1.`);
  if (!(comparisons >= 1)) throw new RangeError('There must be at least one comparison.');
  if (differences.length + leftOut > questions) {
    throw new RangeError(`${differences.length + leftOut} questions are asked of ${questions}.`);
  }
  if (scores === 'yesNo' && !differences.every((d) => d === 0 || Math.abs(d) === 1)) {
    throw new RangeError('Scores that are not 0 or 1 are tested as graded ones.');
  }
  if (about === 'thisDataset' && leftOut > 0) {
    throw new RangeError('For this data set every question counts: failures count as wrong.');
  }
}

function isPaired({ scores, delta, about }: Required<DecisionRule>): boolean {
  return scores === 'yesNo' && delta === 0 && about === 'questionsLikeThese';
}

/**
 * Returns the verdict of a sequential test on differences, the number of questions after which it
 * was reached (undefined if it was not), and the largest e-value against "no difference" until
 * then (`most`), whose inverse is a p-value.
 */
export function stoppingPoint(
  differences: readonly number[],
  given: DecisionRule,
): { verdict: Exclude<Verdict, 'cannot'>; decidedAt?: number; most: number } {
  const rule = { ...DEFAULTS, ...given };
  const level = rule.alpha / rule.comparisons;
  const test: Sequential = isPaired(rule) ? new PairedOutcomes(level) : new Bounded(rule, level);
  for (const [i, difference] of differences.entries()) {
    test.add(difference);
    const verdict = test.verdict();
    if (verdict !== 'undecided') return { verdict, decidedAt: i + 1, most: test.most };
  }
  return { verdict: 'undecided', most: test.most };
}

function repeated(difference: number, times: number): number[] {
  return Array.from({ length: times }, () => difference);
}

/**
 * Tests "neither is better" by the questions that only one of the two gets right: if it is true, as
 * many fall to either side. The probability that E ever exceeds 1 / alpha is then at most alpha, so
 * the test may check after every question and stop there. The smallest 1 / E so far is a p-value.
 *
 * Source: E = 2^(b + c) B(a + b, a + c) / B(a, a), the Bayes factor of a symmetric Beta(a, a) prior
 * on the share of one side, here with a = 1/2; Robbins, Annals of Mathematical Statistics 41
 * (1970).
 */
class PairedOutcomes implements Sequential {
  most = 1;
  private log = 0;
  private first = 0;
  private second = 0;

  constructor(private readonly level: number) {}

  add(difference: number): void {
    if (difference > 0) this.log += logGain(this.first++, this.second);
    if (difference < 0) this.log += logGain(this.second++, this.first);
    this.most = Math.max(this.most, Math.exp(this.log));
  }

  verdict() {
    if (this.most < 1 / this.level) return 'undecided';
    return this.first > this.second ? 'better' : 'worse';
  }
}

class Bounded implements Sequential {
  most = 1;
  private readonly betting: Betting;

  constructor({ delta, about, questions }: Required<DecisionRule>, alpha: number) {
    const population = about === 'thisDataset' ? questions : undefined;
    this.betting = new Betting([(1 - delta) / 2, (1 + delta) / 2, 0.5], { alpha, population });
  }

  add(difference: number): void {
    this.betting.add((1 + difference) / 2);
    const [, , none] = this.betting.bets;
    this.most = Math.max(this.most, none ? evidenceOf(none) : 1);
  }

  verdict() {
    const [below, above] = this.betting.bets;
    if (above?.refused === 'higher') return 'better';
    if (below?.refused === 'lower') return 'worse';
    return below?.refused === 'higher' && above?.refused === 'lower' ? 'alike' : 'undecided';
  }
}

/** Returns the evidence against a mean; infinite if the mean is impossible. */
function evidenceOf({ higher, lower, impossible }: Betting['bets'][number]): number {
  return impossible ? Infinity : Math.max(higher, lower) / 2;
}

/** Approximate number of points of a drawn band. */
const POINTS = 100;

function bandOf(
  differences: readonly number[],
  { about, questions }: Required<DecisionRule>,
  alpha: number,
): BandPoint[] {
  const population = about === 'thisDataset' ? questions : undefined;
  const sequence = new BettingSequence({ alpha, population });
  const step = Math.ceil(differences.length / POINTS);
  const band: BandPoint[] = [];
  for (const [i, difference] of differences.entries()) {
    sequence.add((1 + difference) / 2);
    const asked = i + 1;
    if (asked % step !== 0 && asked < differences.length) continue;
    const { mean, low, high } = sequence.interval();
    band.push({ asked, mean: 2 * mean - 1, low: 2 * low - 1, high: 2 * high - 1 });
  }
  return band;
}

function fixedOf(differences: readonly number[], level: number) {
  const difference = pairedDifference(differences.map((part) => ({ part, whole: 1 })));
  return { p: difference.p, difference: differenceInterval(difference, level) };
}

/**
 * Returns the increase of log E after one more question that only one of the two gets right.
 *
 * @param winner Number of earlier questions that the same one won.
 * @param other Number of earlier questions that the other one won.
 */
function logGain(winner: number, other: number): number {
  return Math.log((1 + 2 * winner) / (1 + winner + other));
}
