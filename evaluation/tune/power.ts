/**
 * Computes the statistical power of a tune, and the number of questions after which its savings
 * exceed its cost. Pure.
 */

import { criticalValue, twoSidedTail } from '../statistics/distributions.js';
import { LEVEL } from '../statistics/paired-difference.js';
import { MAX_FINALISTS } from './search.js';

/** Chance with which a change of the stated size is shown. */
const POWER = 0.8;

/**
 * Assumed fraction of questions whose score a change affects, by the goal of the tune: "better" or
 * "cheaper".
 */
export const CHANGED_SHARE = { better: 0.2, cheaper: 0.1 } as const;

type GoalKind = keyof typeof CHANGED_SHARE;

/**
 * Returns the chance, from 0 to 1, that `confirmFinalists` shows one of three finalists with scores
 * of 0 and 1: a better one that gains this much, or a cheaper one that loses nothing. It is the
 * normal approximation, with the variance and the half question that the test counts.
 *
 * @param gain Gain, or for the goal "cheaper" the margin, as a fraction.
 * @param questions Number of questions of half B.
 */
export function chanceToConfirm(gain: number, questions: number, goal: GoalKind): number {
  const changing = CHANGED_SHARE[goal];
  const difference = goal === 'better' ? Math.min(gain, changing) : 0;
  const distance = gain - 1 / (2 * questions);
  const counted = questions + 2;
  const paired = ((changing * questions + 2) / counted - difference ** 2) / counted;
  // The least variance that the test takes: that of a finalist that loses exactly the margin.
  const least = goal === 'better' ? 0 : (Math.max(distance, 0) * (1 - distance)) / questions;
  const needed = criticalValue((2 * LEVEL) / MAX_FINALISTS) * Math.sqrt(Math.max(paired, least));
  const off = (distance - needed) / Math.sqrt((changing - difference ** 2) / questions);
  const tail = twoSidedTail(off) / 2;
  return off > 0 ? 1 - tail : tail;
}

/**
 * Returns the smallest gain (for the goal "cheaper", the smallest margin), as a fraction, that
 * `confirmFinalists` shows with a chance of 80 % on this many questions. For the goal "better", a
 * gain above `CHANGED_SHARE.better` cannot occur, so the questions are then too few.
 *
 * @param questions Number of questions of half B, on which a tune confirms its finalists.
 */
export function confirmableGain(questions: number, goal: GoalKind): number {
  let [low, high] = [0, 1];
  while (high - low > 1e-4) {
    const gain = (low + high) / 2;
    if (chanceToConfirm(gain, questions, goal) < POWER) low = gain;
    else high = gain;
  }
  return high;
}

/**
 * Returns the smallest number of questions of half B that show a gain or, for the goal "cheaper", a
 * margin, with a chance of 80 %.
 *
 * @param gain Gain or margin as a fraction, above 0.
 */
export function questionsToConfirm(gain: number, goal: GoalKind): number {
  let high = 1;
  while (chanceToConfirm(gain, high, goal) < POWER) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const questions = Math.floor((low + high) / 2);
    if (chanceToConfirm(gain, questions, goal) < POWER) low = questions;
    else high = questions;
  }
  return high;
}

/**
 * Returns the number of questions in production after which the savings reach the cost of the tune;
 * null if nothing is saved, or a price is unknown.
 *
 * @param spentUsd Cost of the tune in US dollars.
 * @param startUsd Cost of a question of the start in US dollars.
 * @param insteadUsd Cost of a question of its replacement in US dollars.
 */
export function paidBackAfter(
  spentUsd: number | null,
  startUsd: number | null,
  insteadUsd: number | null,
): number | null {
  if (spentUsd === null || startUsd === null || insteadUsd === null) return null;
  const saved = startUsd - insteadUsd;
  return saved > 0 ? Math.ceil(spentUsd / saved) : null;
}
