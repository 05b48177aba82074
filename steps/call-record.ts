/** What a run keeps of each call of a question: enough to replay the question without it. Pure. */

import type { Estimated } from '../core/usage.js';
import type { StepOutput } from './call.js';

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

/** What is counted when an activity of a call has ended. */
export type CallEvent =
  /** A model answered; `last` where its output was not asked again. */
  | { kind: 'called'; output: CalledOutput; last: boolean }
  /** Texts were embedded or scored. */
  | { kind: 'embedded'; output: Pick<StepOutput<unknown>, 'model' | 'usage'> }
  /** A search found so many passages. */
  | { kind: 'searched'; found: number }
  /** It failed after this may have been paid. */
  | { kind: 'lost'; estimated: Estimated };

/** What a model call gave beside its value. */
export type CalledOutput = Omit<StepOutput<unknown>, 'ref' | 'value'>;
