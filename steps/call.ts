/** How a step is called, and its output. Pure. */

import type { CallSettings } from '../core/call-defaults.js';
import type { AskedTransport } from '../core/provider-batches.js';
import type { Span } from '../core/span.js';
import type { ModelParameters } from '../core/step-models.js';
import type { CallUsage } from '../core/usage.js';
import type { TextRef } from './text-ref.js';

/** The settings of one call of a step, beside its input. They are the same for all methods. */
export interface StepCall extends CallSettings {
  model: string;
  /** Replaces the step's own parameters. */
  parameters?: ModelParameters;
  /** Corpus of the passages; null if they came with the question. */
  corpus: string | null;
  /** Set if the call goes through a batch endpoint. */
  batch?: AskedTransport;
  /** See `CompletionRequest.mostTokens`, by the speed of the previous attempt. */
  mostTokens?: number;
  /** The run that asks; absent outside a run. */
  run?: string;
  /** Tenant that the call is made for; it is not part of the prompt. */
  tenant?: string;
}

/** The settings in the history; missing ones have their defaults. */
export type SentCall = Pick<
  StepCall,
  'model' | 'parameters' | 'corpus' | 'batch' | 'mostTokens' | 'run' | 'tenant'
> &
  Partial<CallSettings>;

/** A value, and when the attempt that returned it ran. */
export interface Timed<T> {
  value: T;
  /** Absent if unknown, for example for an answer by batch. */
  ran?: Span;
}

/** What the activity of a step returns to the workflow: the value, and what it took. */
export interface StepOutput<O> extends Timed<O> {
  /** The parsed result, or its fallback if there is `unread`; undefined if there is a `fault`. */
  value: O;
  /** Reference to a long text, for later steps. */
  ref?: TextRef;
  /** The text of an unreadable output, shortened. */
  unread?: string;
  /**
   * Set if the value comes from a reply far longer than asked for, which counts as unreadable too.
   */
  long?: true;
  /** Message of an error in the step's own code after a paid call. */
  fault?: string;
  /** Tokens that the model spent on thinking without an answer; 0 if unknown. */
  thinking?: number;
  /** Number of the further sample, from 1; absent for the first. */
  resampled?: number;
  /** Set if the model was stopped at the token limit. */
  cut?: true;
  /**
   * Number of tokens that fit into the time of a call at this one's speed; set for an unreadable
   * output that was cut off.
   */
  mostTokens?: number;
  /** Set if these are less than twice the tokens that it had. */
  tooSlow?: true;
  /** The provider's word for the end, if its meaning is unknown. */
  unknownEnd?: string;
  /** Unsupported parameters that the answer was made without. */
  unsupported?: readonly string[];
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of its backend, if it has one. */
  fingerprint?: string;
  /** The host behind a router, if known. */
  host?: string;
  /** The served tier, if another one than the usual was asked for. */
  tier?: string;
  /** Hash of the prompt. */
  prompt: string;
  /** The key of the response in the cache. */
  key: string;
}
