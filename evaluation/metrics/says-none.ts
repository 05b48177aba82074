import { saysUnknown } from '../../core/unknown.js';

/** Tells whether an accepted answer means that there is none, as data sets write it. */
export function saysNone(answer: string): boolean {
  return saysUnknown(answer) || /^\W*(?:cannot|no)[\s_-]*answer\b/i.test(answer);
}
