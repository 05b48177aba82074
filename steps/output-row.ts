/** The outputs of activities as histories hold them, in few bytes. Pure. */

import { type SpanRow, spanOfRow } from '../core/span.js';
import { type CallUsage, NO_CALL_USAGE } from '../core/usage.js';
import type { StepOutput, Timed } from './call.js';

/** A value as a history holds it, and when the attempt that returned it ran. */
export interface TimedRow<T> {
  value: T;
  /** See `Timed`. */
  ran?: SpanRow;
}

/** The model and the usage of an output, from which calls are counted. */
type Counted = Pick<StepOutput<unknown>, 'model' | 'usage'>;

/** Model and usage as a history holds them: without the model that the call names, and without zeros. */
export interface CountedRow {
  /** Absent if it is the model that the call names. */
  model?: string;
  /** The fields that differ from those of `NO_CALL_USAGE`. */
  usage: Partial<CallUsage>;
}

/** An output as a history holds it. */
export type OutputRow<O> = TimedRow<O> &
  CountedRow &
  Omit<StepOutput<O>, keyof Counted | keyof Timed<O>>;

/**
 * Returns an output as a history holds it.
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
 * Returns the model and the usage of a row in full.
 *
 * @param asked The model that its call names.
 */
export function countedOfRow({ model, usage }: CountedRow, asked = ''): Counted {
  return { model: model ?? asked, usage: { ...NO_CALL_USAGE, ...usage } };
}

/** Returns the output that a row was made of. */
export function outputOfRow<T extends CountedRow & Pick<TimedRow<unknown>, 'ran'>>(
  { model, ran, usage, ...rest }: T,
  asked?: string,
): Omit<T, keyof Counted | 'ran'> & Counted & Pick<Timed<unknown>, 'ran'> {
  return {
    ...rest,
    ...countedOfRow({ usage, ...(model !== undefined && { model }) }, asked),
    ...(ran && { ran: spanOfRow(ran) }),
  };
}
