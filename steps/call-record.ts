/** Records of a question's calls, from which the question can be replayed. Pure. */

import { type Span, unionMs } from '../core/span.js';
import type { EstimatedUsage } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/**
 * The record of one call of a step: its address, which equal calls share, its label, its output
 * unless it failed, and its events: one for each attempt that succeeded, and one if a failed
 * attempt may have been paid for.
 */
export interface CallRecord {
  /** Step name and a hash of the input; equal calls have the same address. */
  address: string;
  /** Name of the step. */
  step: string;
  /** Description for people, such as the candidate or pair it is about. */
  label: string;
  /** The output; absent if the call failed. */
  output?: unknown;
  /** Set if it was copied from the parent run of a fork, so that its usage is not counted. */
  taken?: true;
  /**
   * Events of the call, in order: one per attempt that succeeded, and one if a failed attempt may
   * have been paid for.
   */
  events: CallEvent[];
}

type Ran = Pick<Timed<unknown>, 'ran'>;

/**
 * The end of one attempt of a call, by kind: a model answered, texts were embedded or reranked, a
 * search found passages, something was computed, or the attempt failed and may have been paid for.
 */
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

/**
 * The output of a model call as its record contains it: model, usage, time span, remarks, and the
 * keys of prompt and response, without the value that was read (`value`) and its reference
 * (`ref`).
 */
export type CalledOutput = Omit<StepOutput<unknown>, 'ref' | 'value'>;

/**
 * Returns the time span of the attempt that succeeded in an event: its start `from`, in
 * milliseconds since 1970, and its duration `ms`, in milliseconds; undefined if unknown.
 */
export function spanOf(event: Exclude<CallEvent, { kind: 'lost' }>): Span | undefined {
  return 'output' in event ? event.output.ran : event.ran;
}

/**
 * Returns the time in seconds during which at least one successful attempt of the calls was
 * running. Waits, failed attempts, and calls copied from another run do not count. Undefined if the
 * time of an attempt that counts is unknown.
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
