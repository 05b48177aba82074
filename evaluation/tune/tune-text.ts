/** What a tune has shown, in words. */
import type { Tune } from '../../core/tune/tune.js';
import { plural, points, pValue } from '../runs/number-text.js';
import type { Confirmed } from './confirm.js';

/** Says what half B has shown of a finalist. */
export function shownText(
  { isShown, difference: { mean, low, high }, questions, corrected }: Confirmed,
  { goal, margin = 0 }: Pick<Tune, 'goal' | 'margin'>,
): string {
  const found = `${points(mean)} (${points(low)} to ${points(high)}) on ${plural(questions, 'question')} of half B, one-sided p ${pValue(corrected)}`;
  if (goal === 'better') return `${isShown ? 'better' : 'not shown to be better'}: ${found}`;
  const loses = `to lose less than ${plural(margin, 'point')}`;
  return `${isShown ? 'shown' : 'not shown'} ${loses}: ${found}`;
}
