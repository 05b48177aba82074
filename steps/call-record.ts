/** Records of a question's calls, from which the question can be replayed. Pure. */

import { type Span, unionMs } from '../core/span.js';
import type { EstimatedUsage } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/** The record of one call of a step: its address, its output, and the events that are counted. */
export interface CallRecord {
  /** Step name and a hash of the input; equal calls have the same address. */
  address: string;
  step: string;
  /** Description for people, such as the candidate or pair it is about. */
  label: string;
  /** The output; absent if the call failed. */
  output?: unknown;
  /** Set if it was copied from the parent run of a fork, so that its usage is not counted. */
  taken?: true;
  /** Events of the call, in order. */
  events: CallEvent[];
}

type Ran = Pick<Timed<unknown>, 'ran'>;

/** An event of a call, from which usage and times are counted: the end of one of its activities. */
export type CallEvent =
  /** A model answered. `last` is true if its output was not asked for again. */
  | { kind: 'called'; output: CalledOutput; last: boolean }
  /** Texts were embedded or reranked. */
  | { kind: 'embedded'; output: Pick<StepOutput<unknown>, 'model' | 'usage' | 'ran'> }
  /** A search found this number of passages. */
  | ({ kind: 'searched'; found: number } & Ran)
  /** Something was computed or looked up at no cost. */
  | ({ kind: 'computed' } & Ran)
  /**
   * An attempt failed whose cost may have been paid. `late` is set if it was repeated with twice
   * the tokens and did not answer in time, so that the earlier output is used.
   */
  | { kind: 'lost'; estimated: EstimatedUsage | undefined; late?: true };

/** The part of a model call's output that its record contains: all except the value. */
export type CalledOutput = Omit<StepOutput<unknown>, 'ref' | 'value'>;

/** Returns the time span of an event's successful attempt; undefined if it is unknown. */
export function spanOf(event: Exclude<CallEvent, { kind: 'lost' }>): Span | undefined {
  return 'output' in event ? event.output.ran : event.ran;
}

/**
 * Returns the time during which at least one successful attempt of the calls was running, in
 * seconds. Waits and failed attempts do not count, nor do calls copied from another run. Undefined
 * if the time of any attempt is unknown.
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
