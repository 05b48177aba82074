/** Tells traces of answers that come when the attempt that asked has long ended: those by batch. */
import type { Observation } from './observation.js';

/** Takes part where traces are wanted. */
export interface LateAnswers {
  /** Names the span of the attempt under way; undefined where it has none. */
  here(): string | undefined;
  /**
   * @param span Of the attempt that asked, as `here` has named it on whichever worker.
   * @param since When its activity was scheduled, in milliseconds since 1970.
   */
  tell(span: string, answered: Observation, since: number): void;
}

let answers: LateAnswers | undefined;

/** Has this process tell of them from now on. */
export function traceLateAnswers(to: LateAnswers): void {
  answers = to;
}

/** Undefined where there are no traces. */
export function lateAnswers(): LateAnswers | undefined {
  return answers;
}
