/** The outputs of activities as histories record them, in few bytes. Pure. */

import { type SpanTuple, spanOfTuple } from '../core/span.js';
import { type CallUsage, NO_CALL_USAGE } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/**
 * A `value` as histories record it, with the time span of the attempt that returned it (`ran`) as
 * a tuple: start since 1970 and duration, in milliseconds. The span is absent if unknown.
 */
export interface TimedRow<T> {
  value: T;
  /** Time span; absent if unknown. */
  ran?: SpanTuple;
}

/** The model and the usage of an output, from which calls are counted. */
type Counted = Pick<StepOutput<unknown>, 'model' | 'usage'>;

/**
 * The model and usage of a call as histories record them: without a model that the call names, and
 * without zeros.
 */
export interface CountedRow {
  /** Absent if it is the model that the call names. */
  model?: string;
  /** The fields that differ from those of `NO_CALL_USAGE`. */
  usage: Partial<CallUsage>;
}

/**
 * A model step's output in the short form in which histories record it: without a model that the
 * call names and without zeros in the usage, and with the time span as a tuple.
 */
export type OutputRow<O> = TimedRow<O> &
  CountedRow &
  Omit<StepOutput<O>, keyof Counted | keyof Timed<O>>;

/**
 * Returns a step's output in the short form of histories, without the model `asked` and without
 * zeros in its usage. All other fields stay as they are, so the time span must be a tuple before.
 *
 * @param asked The model that its call names; undefined if it names none.
 */
export function outputRow<T extends Counted>(
  { model, usage, ...rest }: T,
  asked?: string,
): Omit<T, keyof Counted> & CountedRow {
  const nothing: Partial<Record<string, unknown>> = { ...NO_CALL_USAGE };
  const counted = Object.entries(usage).filter(([name, count]) => count !== nothing[name]);
  return { ...rest, ...(model !== asked && { model }), usage: Object.fromEntries(counted) };
}

/**
 * Returns the model (`model`) and the complete usage (`usage`) of a recorded output.
 *
 * @param asked The model that its call names, returned if the record names none.
 */
export function countedOfRow({ model, usage }: CountedRow, asked = ''): Counted {
  return { model: model ?? asked, usage: { ...NO_CALL_USAGE, ...usage } };
}

/**
 * Returns a step's output from the short form of histories: model, complete usage, and the time
 * span as an object.
 *
 * @param asked The model that its call names; undefined if it names none.
 */
export function outputOfRow<T extends CountedRow & Pick<TimedRow<unknown>, 'ran'>>(
  { model, ran, usage, ...rest }: T,
  asked?: string,
): Omit<T, keyof Counted | 'ran'> & Counted & Pick<Timed<unknown>, 'ran'> {
  return {
    ...rest,
    ...countedOfRow({ usage, ...(model !== undefined && { model }) }, asked),
    ...(ran && { ran: spanOfTuple(ran) }),
  };
}
