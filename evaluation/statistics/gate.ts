/**
 * Gates: tests that a method is not worse than another by a margin, or that a score is not too low.
 * Pure.
 */
import { Betting, BettingSequence } from './betting.js';
import type { About, PairedPrefix } from './decide.js';
import type { Interval } from './score-interval.js';

/**
 * The verdict of a gate, a condition on scores that a study or run must meet. UNDECIDED means that
 * neither PASS nor FAIL is shown.
 */
export type GateVerdict = 'PASS' | 'FAIL' | 'UNDECIDED';

/**
 * The settings of a gate, which limits how much worse than a baseline a method may be: the margin,
 * from 0 to 1, the total number of questions, the error probability, and the population that the
 * verdict is about.
 */
export interface GateRule {
  /** Smallest loss of mean score for which the gate fails, from 0 to 1. */
  margin: number;
  /** Total number of questions that can be asked. */
  questions: number;
  /** Probability of a wrong PASS or FAIL, however often it is checked. @default 0.05 */
  alpha?: number;
  /** Population that the verdict is about. @default 'questionsLikeThese' */
  about?: About;
}

/**
 * The verdict of a gate, a limit to how much worse than a baseline a method may be, as `gate`
 * returns it: the settings, `verdict`, number of questions at which it fell (`decidedAt`, absent
 * if UNDECIDED), number of questions `asked`, and the mean `difference` so far with its interval,
 * from -1 to 1.
 */
export type Gate = ReturnType<typeof gate>;

const ALPHA = 0.05;

/**
 * Returns the `verdict` of a gate on the score differences so far (first method minus second, from
 * -1 to 1), with its settings, the mean `difference` and its confidence sequence, and the number
 * of questions after which it was decided (`decidedAt`, absent if UNDECIDED): PASS if the first
 * method is shown to be less than the margin worse than the second, FAIL if it is shown to be at
 * least that much worse, otherwise UNDECIDED. The verdict may be checked after every question, and
 * does not change once it is PASS or FAIL.
 *
 * @throws RangeError for a margin that is not from 0 to below 1, or for more differences than
 * `questions`.
 */
export function gate({ differences }: PairedPrefix, given: GateRule) {
  const rule: Required<GateRule> = { alpha: ALPHA, about: 'questionsLikeThese', ...given };
  const { margin, alpha, questions, about } = rule;
  if (!(margin >= 0 && margin < 1)) throw new RangeError(`The margin ${margin} is not in [0, 1).`);
  if (differences.length > questions) {
    throw new RangeError(`${differences.length} questions are asked of ${questions}.`);
  }
  const population = about === 'thisDataset' ? questions : undefined;
  const sequence = new BettingSequence({ alpha, population });
  for (const difference of differences) sequence.add((1 + difference) / 2);
  const { mean, low, high } = sequence.interval();
  return {
    ...rule,
    ...gateStop(differences, rule),
    /** Number of questions counted so far. */
    asked: differences.length,
    /** Mean difference so far and its confidence sequence. */
    difference: { mean: 2 * mean - 1, low: 2 * low - 1, high: 2 * high - 1 },
  };
}

/**
 * Returns the verdict, and the number of questions after which it was reached, undefined if
 * UNDECIDED.
 */
function gateStop(
  differences: readonly number[],
  rule: Required<GateRule>,
): { verdict: GateVerdict; decidedAt?: number } {
  const { margin, alpha, questions, about } = rule;
  const population = about === 'thisDataset' ? questions : undefined;
  const betting = new Betting([(1 - margin) / 2], { alpha, population });
  for (const [i, difference] of differences.entries()) {
    betting.add((1 + difference) / 2);
    const refused = betting.bets[0]?.refused;
    if (refused) {
      return { verdict: refused === 'higher' ? 'PASS' : 'FAIL', decidedAt: i + 1 };
    }
  }
  return { verdict: 'UNDECIDED' };
}

/** Distance between the margins that are tried: half a percentage point. */
const STEP = 0.005;

/**
 * Returns the smallest margin, as a fraction in steps of 0.005, for which a gate is expected to
 * PASS with this many questions if both methods are equally good; undefined if there is none below
 * 0.5.
 *
 * @param differ Expected fraction of questions that only one of the two gets right.
 */
export function decidableMargin(
  rule: Omit<GateRule, 'margin'>,
  differ: number,
): number | undefined {
  // Differences of 1 and -1 alternate and are spread evenly: a typical order.
  const differences = Array.from({ length: rule.questions }, (_, i) => {
    const met = Math.floor((i + 1) * differ);
    return met === Math.floor(i * differ) ? 0 : met % 2 === 0 ? 1 : -1;
  });
  for (let step = 1; step * STEP < 0.5; step++) {
    const margin = step * STEP;
    const full = { alpha: ALPHA, about: 'questionsLikeThese' as const, ...rule, margin };
    if (gateStop(differences, full).verdict === 'PASS') return margin;
  }
  return undefined;
}

/**
 * Returns FAIL if the whole interval is below the lowest accepted score, PASS if none of it is,
 * otherwise UNDECIDED.
 *
 * @param least Lowest accepted score, in the unit of the interval.
 */
export function scoreGate({ low, high }: Interval, least: number): GateVerdict {
  if (high < least) return 'FAIL';
  return low >= least ? 'PASS' : 'UNDECIDED';
}
