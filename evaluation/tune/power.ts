/** The statistical power of a tune, and the number of questions after which it pays for itself. Pure. */

import { criticalValue, twoSidedTail } from '../statistics/distributions.js';
import { LEVEL } from '../statistics/paired-difference.js';
import { MAX_FINALISTS } from './search.js';

/** Chance with which a change of the stated size is shown. */
const POWER = 0.8;

/** Assumed share of questions whose score a change affects, by goal. */
export const CHANGED_SHARE = { better: 0.2, cheaper: 0.1 } as const;

/**
 * Returns the distance, in standard errors, that a difference needs from the tested one to be shown
 * with
 * a chance of 80 %.
 */
function deviations(): number {
  return criticalValue((2 * LEVEL) / MAX_FINALISTS) + criticalValue(2 * (1 - POWER));
}

/**
 * Returns the smallest gain, or margin, that a number of questions of half B shows with a chance of
 * 80 %,
 * as a fraction of 1. The test is one-sided and corrected over three finalists.
 *
 * @param changing Share of the questions whose score changes.
 */
export function confirmableGain(questions: number, changing: number): number {
  return deviations() * Math.sqrt(changing / questions);
}

/**
 * Returns the number of questions of half B that show a gain, or a margin, with a chance of 80 %.
 *
 * @param gain Gain as a fraction of 1.
 * @param changing Share of the questions whose score changes.
 */
export function questionsToConfirm(gain: number, changing: number): number {
  return Math.ceil(changing * (deviations() / gain) ** 2);
}

/**
 * Returns the chance, from 0 to 1, that a number of questions of half B shows a gain, or a margin
 * for a
 * candidate that loses nothing.
 *
 * @param gain Gain or margin as a fraction of 1.
 * @param changing Share of the questions whose score changes.
 */
export function chanceToConfirm(gain: number, questions: number, changing: number): number {
  const needed = criticalValue((2 * LEVEL) / MAX_FINALISTS);
  const off = gain / Math.sqrt(changing / questions) - needed;
  const tail = twoSidedTail(off) / 2;
  return off > 0 ? 1 - tail : tail;
}

/**
 * Returns the number of questions in production after which the savings equal the cost of the tune;
 * null
 * if nothing is saved, or a price is unknown.
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
