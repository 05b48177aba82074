/** The hedged betting confidence sequence: an interval for a mean that stays valid if it is checked after every score. */
import type { Interval } from './score-interval.js';

/** The error probability of a confidence sequence, and the population whose mean it estimates. */
interface BettingOptions {
  /** Probability that the true mean is ever outside of the interval, from 0 to 1. */
  alpha: number;
  /**
   * Number of scores in the population, if they are drawn without replacement and its mean is
   * wanted. Undefined estimates the mean of an endless population.
   */
  population?: number | undefined;
}

/** Largest stake, as a fraction of the stake that could lose everything. */
const TRUNCATION = 0.5;

/** Tolerance for rounding errors in a mean of scores. */
const ROUNDING = 1e-9;

/** The evidence for and against one hypothetical mean. */
interface Bets {
  mean: number;
  /** Wealth, in stakes, of the bet that the true mean is higher than this one. */
  higher: number;
  /** Wealth, in stakes, of the bet that the true mean is lower than this one. */
  lower: number;
  /** Direction of the bet against which the mean was refused. */
  refused?: 'higher' | 'lower';
  /** Set if the mean was refused without a bet, because the remaining scores cannot reach it. */
  impossible?: true;
}

/**
 * Tests a list of hypothetical means of scores from 0 to 1 while scores are added; `bets` has the
 * result for each mean. A mean is refused once a bettor against it, in either direction, has won 2
 * / alpha times the stake or, with a `population`, once the scores so far make it impossible. The
 * probability that the true mean is ever refused is at most alpha.
 *
 * Source: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, JRSS B
 * 2024: hedged capital with predictable plug-in bets, and section 5 without replacement.
 */
export class Betting {
  readonly bets: Bets[];
  private readonly threshold: number;
  private count = 0;
  private sum = 0;
  /** Sum of squared deviations, plus 1/4 for one imaginary score. */
  private squares = 0.25;

  constructor(
    means: readonly number[],
    private readonly options: BettingOptions,
  ) {
    this.bets = means.map((mean) => ({ mean, higher: 1, lower: 1 }));
    this.threshold = 2 / options.alpha;
  }

  /** Bets on the next score. @throws RangeError if it is not from 0 to 1, or if the population is used up. */
  add(score: number): void {
    const { alpha, population } = this.options;
    if (!(score >= 0 && score <= 1)) throw new RangeError(`${score} is not between 0 and 1.`);
    if (population !== undefined && this.count >= population) {
      throw new RangeError(`There are more than ${population} scores.`);
    }
    const t = this.count + 1;
    const variance = this.squares / t;
    const stake = Math.sqrt((2 * Math.log(2 / alpha)) / (t * Math.log(1 + t) * variance));
    for (const bet of this.bets) if (!bet.refused) this.bet(bet, stake, score);
    this.count = t;
    this.sum += score;
    this.squares += (score - (0.5 + this.sum) / (t + 1)) ** 2;
    for (const bet of this.bets) this.refuseIfWon(bet);
  }

  /** Returns the mean of the remaining scores if `mean` is that of the whole population. */
  private meanToCome(mean: number): number {
    const { population } = this.options;
    if (population === undefined) return mean;
    return (population * mean - this.sum) / (population - this.count);
  }

  private bet(bet: Bets, stake: number, score: number): void {
    const m = Math.min(1, Math.max(0, this.meanToCome(bet.mean)));
    bet.higher *= 1 + Math.min(stake, TRUNCATION / m) * (score - m);
    bet.lower *= 1 - Math.min(stake, TRUNCATION / (1 - m)) * (score - m);
  }

  private refuseIfWon(bet: Bets): void {
    if (bet.refused) return;
    const { population } = this.options;
    if (bet.higher >= this.threshold) bet.refused = 'higher';
    else if (bet.lower >= this.threshold) bet.refused = 'lower';
    if (bet.refused || population === undefined) return;
    // A mean at the very edge of the possible range is not refused.
    const toCome = population * bet.mean - this.sum;
    if (toCome > population - this.count + ROUNDING) bet.refused = 'lower';
    else if (toCome < -ROUNDING) bet.refused = 'higher';
    if (bet.refused) bet.impossible = true;
  }
}

/** Number of steps between 0 and 1 at which means are tried. */
const GRID = 1000;

/**
 * Computes the confidence interval of a mean of scores from 0 to 1 while scores are added. Its
 * level holds although it is read after every score and the scores may end at any time. It always
 * contains the mean of the scores so far, and gets wider only if that mean leaves it.
 */
export class BettingSequence {
  private readonly betting: Betting;
  private count = 0;
  private sum = 0;
  private low = 0;
  private high = 1;

  constructor(private readonly options: BettingOptions) {
    const means = Array.from({ length: GRID + 1 }, (_, i) => i / GRID);
    this.betting = new Betting(means, options);
  }

  /** Adds the next score. @throws RangeError as `Betting.add` does. */
  add(score: number): void {
    this.betting.add(score);
    this.count++;
    this.sum += score;
  }

  /**
   * Returns the mean of the scores so far (0.5 without any), and the interval of the means that
   * were never refused.
   */
  interval(): Interval {
    const mean = this.count === 0 ? 0.5 : this.sum / this.count;
    const { bets } = this.betting;
    const first = bets.findIndex(({ refused }) => !refused);
    const last = bets.findLastIndex(({ refused }) => !refused);
    // Means between two points of the grid were not tried, so the interval extends to the refused
    // ones.
    if (first !== -1) {
      this.low = Math.max(0, (first - 1) / GRID);
      this.high = Math.min(1, (last + 1) / GRID);
    }
    // Once all scores are known, their mean is too.
    if (this.count === this.options.population) return { mean, low: mean, high: mean };
    return { mean, low: Math.min(this.low, mean), high: Math.max(this.high, mean) };
  }
}
