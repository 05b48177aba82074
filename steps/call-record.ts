/** The record of a question's call, sufficient to replay the question without it. Pure. */

import { type Span, unionMs } from '../core/span.js';
import type { Estimated } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/** A call of a question, as it was carried out. */
export interface CallRecord {
  /** The step and a hash of its canonical input; equal calls share one. */
  address: string;
  step: string;
  /** Description for people, such as the candidate or pair it is about. */
  label: string;
  /** The output; absent if the call failed. */
  output?: unknown;
  /** Set if it was taken from the parent run of a fork, so that its usage does not count here. */
  taken?: true;
  /** What was counted for it, in order. */
  events: CallEvent[];
}

type Ran = Pick<Timed<unknown>, 'ran'>;

/** What is counted when an activity of a call has ended. */
export type CallEvent =
  /** A model answered. `last` is set if its output was not asked for again. */
  | { kind: 'called'; output: CalledOutput; last: boolean }
  /** Texts were embedded or scored. */
  | { kind: 'embedded'; output: Pick<StepOutput<unknown>, 'model' | 'usage' | 'ran'> }
  /** A search found this number of passages. */
  | ({ kind: 'searched'; found: number } & Ran)
  /** Something was computed or looked up at no cost. */
  | ({ kind: 'computed' } & Ran)
  /**
   * The call failed after this cost may have been paid. `late` is set if it was asked again with
   * twice the tokens and did not answer in time, so that the earlier output counts.
   */
  | { kind: 'lost'; estimated: Estimated | undefined; late?: true };

/** What the record of a model call keeps of its output: all but the value. */
export type CalledOutput = Omit<StepOutput<unknown>, 'ref' | 'value'>;

/** Returns when the attempt of an event ran; undefined if unknown. */
export function spanOf(event: Exclude<CallEvent, { kind: 'lost' }>): Span | undefined {
  return 'output' in event ? event.output.ran : event.ran;
}

/**
 * Returns the seconds during which at least one successful attempt of these calls was running.
 * Waits for a worker, for room or between attempts do not count, nor do failed attempts. Undefined
 * if no time is known. Calls taken from another run count nothing.
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
