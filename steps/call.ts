/** How a step is carried out, and what it gives back. Pure. */

import type { CallSettings } from '../core/call-defaults.js';
import type { AskedTransport } from '../core/provider-batches.js';
import type { ModelParameters } from '../core/step-models.js';
import type { CallUsage } from '../core/usage.js';
import type { TextRef } from './text-ref.js';

/** How a step is to be carried out; the same for all methods. */
export interface StepCall extends CallSettings {
  model: string;
  /** In place of those that the step has. */
  parameters?: ModelParameters;
  /** Null when the passages came with the question. */
  corpus: string | null;
  /** Where it goes through a batch endpoint. */
  batch?: AskedTransport;
}

/** The same as it stands in the history: what is left out is as usual. */
export type SentCall = Pick<StepCall, 'model' | 'parameters' | 'corpus' | 'batch'> &
  Partial<CallSettings>;

/** What a step gives back to the workflow. */
export interface StepOutput<O> {
  /** The parsed result, or the fallback when there is an `unread`; nothing when there is a `fault`. */
  value: O;
  /** Only where the value is a long text: where later steps find it. */
  ref?: TextRef;
  /** Only where the output could not be read: the output itself, shortened. */
  unread?: string;
  /** Only where the step's own code threw at what was paid for: what is told of it. */
  fault?: string;
  /** Only where the model spent its tokens thinking and wrote nothing: how many, 0 if nobody said. */
  thinking?: number;
  /** Only where the model was stopped at the token limit. */
  cut?: true;
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of what served it, where it gives one. */
  fingerprint?: string;
  /** The tier that served the call, where another one than the usual was asked for. */
  tier?: string;
  /** Hash of the prompt. */
  prompt: string;
}
