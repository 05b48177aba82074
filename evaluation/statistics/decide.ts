/** Decides whether the difference of two, asked the same questions, is established. */
import { Betting, BettingSequence } from './betting.js';
import { differenceInterval, pairedDifference } from './paired-difference.js';
import type { Interval } from './score-interval.js';

/** Scope of a decision: other questions like these, or only those of the data set. */
export type About = 'questionsLikeThese' | 'thisDataset';

/** The rule of a sequential comparison, which is fixed before the first question. */
export interface DecisionRule {
  /** Whether each score is 0 or 1; question means over repeats are graded. */
  scores: 'yesNo' | 'graded';
  /** Number of questions that can be asked in all. */
  questions: number;
  /** The smallest difference that matters, from 0 to 1. @default 0 */
  delta?: number;
  /** The chance of one wrong decision over all comparisons. @default 0.05 */
  alpha?: number;
  /** Comparisons that alpha is split over. @default 1 */
  comparisons?: number;
  /** @default 'questionsLikeThese' */
  about?: About;
}

/** The differences of the first questions in the drawn order, as far as both have ended all. */
export interface PairedPrefix {
  /** First less second by question, from -1 to 1. */
  differences: readonly number[];
  /** Questions of the prefix that do not count, since they failed. @default 0 */
  leftOut?: number;
  /** Questions that can still be asked, if fewer than remain. */
  left?: number;
}

/**
 * - better, worse: the first is shown to be so, by more than delta;
 * - alike: shown to differ by no more than delta, which is more than 0;
 * - cannot: the questions that are left do not suffice, whatever comes out;
 * - undecided: ask on.
 */
export type Verdict = 'better' | 'worse' | 'alike' | 'cannot' | 'undecided';

/** The interval of the mean difference after a number of questions. */
export interface BandPoint extends Interval {
  /** Questions that count up to here. */
  asked: number;
}

/** The result of a comparison, and after how many questions. */
export type Decision = ReturnType<typeof decide>;

/** A sequential test that takes differences one by one. */
interface Sequential {
  add(difference: number): void;
  verdict(): Exclude<Verdict, 'cannot'>;
  /** The largest evidence against "no difference" so far. */
  most: number;
}

/**
 * Decides from the completed prefix of the drawn order only: equal prefixes give equal decisions,
 * and a decision holds whatever follows. Yes/no scores with delta 0 are tested by the e-process of
 * paired outcomes; all other scores, and decisions about this data set only, by the hedged betting
 * sequence. The band is always that of the betting sequence, and may contain 0 for some more
 * questions after the e-process has decided.
 *
 * @throws RangeError if yes/no scores are graded, if more is asked than there is, or if a question
 * is left out of a decision about this data set.
 */
export function decide(prefix: PairedPrefix, given: DecisionRule) {
  const rule: Required<DecisionRule> = { ...DEFAULTS, ...given };
  const { differences, leftOut = 0 } = prefix;
  check(prefix, rule);
  const level = rule.alpha / rule.comparisons;
  const { verdict, decidedAt, most } = stopOf(differences, rule);
  const left = Math.min(rule.questions - differences.length - leftOut, prefix.left ?? Infinity);
  const isOpen = () =>
    [1, -1, 0].some((d) => stopOf([...differences, ...repeated(d, left)], rule).decidedAt);
  return {
    ...rule,
    verdict: (verdict !== 'undecided' || isOpen() ? verdict : 'cannot') as Verdict,
    /** Number of counted questions after which it was decided; undefined if it is not. */
    ...(decidedAt !== undefined && { decidedAt }),
    test: isPaired(rule) ? ('pairedOutcomes' as const) : ('betting' as const),
    /** The level of this comparison: alpha over the comparisons. */
    level,
    /** Questions of the prefix that count, and that do not. */
    asked: differences.length,
    leftOut,
    /** P-value of "no difference", valid at every check. */
    p: Math.min(1, 1 / most),
    /**
     * Mean difference so far and its confidence sequence, by questions asked, the last point last.
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
  if (!(comparisons >= 1)) throw new RangeError('Alpha is split over at least one comparison.');
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
 * Returns where the test stops, with the strongest evidence until then; omits the other results.
 */
export function stopOf(
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
 * E is the evidence against "neither is better": of the questions that only one of the two gets
 * right, as many fall to either side. If that is true, E ever exceeds 1 / alpha with a probability
 * of at most alpha, so a test may check after every question and stop there; the smallest 1 / E so
 * far is a p-value.
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

/** Returns the evidence; infinite once the mean is impossible. */
function evidenceOf({ higher, lower, impossible }: Betting['bets'][number]): number {
  return impossible ? Infinity : Math.max(higher, lower) / 2;
}

/** Points that a band is drawn with. */
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
 * Returns the gain in the logarithm of E from another question, by the earlier counts of its winner
 * and the other.
 */
function logGain(winner: number, other: number): number {
  return Math.log((1 + 2 * winner) / (1 + winner + other));
}
