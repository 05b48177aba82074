/** What a run keeps of each call of a question: enough to replay the question without it. Pure. */

import { type Span, unionMs } from '../core/span.js';
import type { Estimated } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/** A call of a question, as it was carried out. */
export interface CallRecord {
  /** The step and a hash of its canonical input; equal calls share one. */
  address: string;
  step: string;
  /** Its line for people: which candidate, which pair. */
  label: string;
  /** Left out where the call failed. */
  output?: unknown;
  /** It was taken from the run that this one is forked of, and counts nothing here. */
  taken?: true;
  /** What was counted for it, in order. */
  events: CallEvent[];
}

type Ran = Pick<Timed<unknown>, 'ran'>;

/** What is counted when an activity of a call has ended. */
export type CallEvent =
  /** A model answered; `last` where its output was not asked again. */
  | { kind: 'called'; output: CalledOutput; last: boolean }
  /** Texts were embedded or scored. */
  | { kind: 'embedded'; output: Pick<StepOutput<unknown>, 'model' | 'usage' | 'ran'> }
  /** A search found so many passages. */
  | ({ kind: 'searched'; found: number } & Ran)
  /** Something was computed or looked up that costs nothing. */
  | ({ kind: 'computed' } & Ran)
  /**
   * It failed after this may have been paid; `late` if it was asked again with twice the tokens and
   * did not come in time, so that the output before it stands.
   */
  | { kind: 'lost'; estimated: Estimated | undefined; late?: true };

/** What a model call gave beside its value. */
export type CalledOutput = Omit<StepOutput<unknown>, 'ref' | 'value'>;

/** Returns when the attempt ran that an event tells of; undefined if nobody knows. */
export function spanOf(event: Exclude<CallEvent, { kind: 'lost' }>): Span | undefined {
  return 'output' in event ? event.output.ran : event.ran;
}

/**
 * Returns the seconds in which at least one attempt of these calls was running that ended well; waits
 * for a worker, for room or between attempts are not among them, nor are attempts that failed.
 * Undefined if nobody knows of one when it ran. Calls that were taken from another run count nothing.
 */
export function workingSeconds(
  calls: Iterable<Pick<CallRecord, 'events' | 'taken'>>,
): number | undefined {
  const spans: Span[] = [];
  for (const { events, taken } of calls) {
    for (const event of taken ? [] : events) {
      if (event.kind === 'lost') continue;
      const span = spanOf(event);
      if (!span) return undefined;
      spans.push(span);
    }
  }
  return unionMs(spans) / 1000;
}
