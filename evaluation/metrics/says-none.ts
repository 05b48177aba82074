/** Recognises accepted answers that mean "no answer". Pure. */
import { saysUnknown } from '../../core/unknown.js';

/**
 * Returns whether an accepted answer means that the question has no answer, such as "unanswerable"
 * or "no answer", or that none is known, such as "unknown".
 */
export function saysNone(answer: string): boolean {
  return saysUnknown(answer) || /^\W*(?:cannot|no)[\s_-]*answer\b/i.test(answer);
}
