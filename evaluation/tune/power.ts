/** What a tune can show with so many questions, and when it has paid for itself. Pure. */

import { deviationOf, twoSidedTail } from '../statistics/distributions.js';
import { LEVEL } from '../statistics/paired-difference.js';
import { MOST_FINALISTS } from './search.js';

/** The chance with which a change is shown that is as large as is said. */
const POWER = 0.8;

/** Share of the questions whose score a change is expected to change, which nobody knows before. */
export const CHANGING = { better: 0.2, cheaper: 0.1 } as const;

/** Standard errors that a difference has to be away from what is tested. */
function deviations(): number {
  return deviationOf((2 * LEVEL) / MOST_FINALISTS) + deviationOf(2 * (1 - POWER));
}

/**
 * Returns the smallest gain, or margin, as a share of the score, that so many questions of half B show
 * with a chance of 80 %: one-sided, corrected over three finalists.
 *
 * @param changing Share of the questions whose score is another one.
 */
export function confirmable(questions: number, changing: number): number {
  return deviations() * Math.sqrt(changing / questions);
}

/** Returns how many questions of half B show a gain or a margin with that chance. */
export function questionsFor(gain: number, changing: number): number {
  return Math.ceil(changing * (deviations() / gain) ** 2);
}

/** Returns the chance with which so many questions of half B show a gain, or that nothing is lost. */
export function chanceToShow(gain: number, questions: number, changing: number): number {
  const needed = deviationOf((2 * LEVEL) / MOST_FINALISTS);
  const off = gain / Math.sqrt(changing / questions) - needed;
  const tail = twoSidedTail(off) / 2;
  return off > 0 ? 1 - tail : tail;
}

/**
 * Returns after how many questions in production a saving has paid for the tune; null if nothing is
 * saved, or a price is not known.
 *
 * @param spentUsd By the tune, in US dollars.
 * @param startUsd By a question of the start, and of what takes its place.
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
