import { saysUnknown } from '../../core/unknown.js';

/** Tells whether an accepted answer means that there is no answer, in the words of data sets. */
export function saysNone(answer: string): boolean {
  return saysUnknown(answer) || /^\W*(?:cannot|no)[\s_-]*answer\b/i.test(answer);
}
