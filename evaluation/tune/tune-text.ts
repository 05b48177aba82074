/** Writes the results of a tune as text. Pure. */
import type { Tune } from '../../core/tune/tune.js';
import { plural, points, pValue } from '../runs/number-text.js';
import type { FinalistResult } from './confirm.js';

/**
 * Returns the result of a finalist on half B of the questions as a clause, with the difference and
 * its interval in percentage points, and the one-sided p-value, corrected over the finalists.
 */
export function finalistText(
  { isShown, difference: { mean, low, high }, questions, corrected }: FinalistResult,
  { goal, margin = 0 }: Pick<Tune, 'goal' | 'margin'>,
): string {
  const found = `${points(mean)} (${points(low)} to ${points(high)}) on ${plural(questions, 'question')} of half B, one-sided p ${pValue(corrected)}`;
  if (goal === 'better') return `${isShown ? 'better' : 'not shown to be better'}: ${found}`;
  const loses = `to lose less than ${plural(margin, 'point')}`;
  return `${isShown ? 'shown' : 'not shown'} ${loses}: ${found}`;
}
