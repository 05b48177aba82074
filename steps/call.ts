/** How a step is carried out, and what it gives back. Pure. */

import type { CallSettings } from '../core/call-defaults.js';
import type { AskedTransport } from '../core/provider-batches.js';
import type { Span } from '../core/span.js';
import type { ModelParameters } from '../core/step-models.js';
import type { CallUsage } from '../core/usage.js';
import type { TextRef } from './text-ref.js';

/** The settings of a call; the same for all methods. */
export interface StepCall extends CallSettings {
  model: string;
  /** Replaces the step's own parameters. */
  parameters?: ModelParameters;
  /** Null when the passages came with the question. */
  corpus: string | null;
  /** Set if it goes through a batch endpoint. */
  batch?: AskedTransport;
  /** As `CompletionRequest.mostTokens`, by the speed of the attempt before. */
  mostTokens?: number;
  /** The run that asks; left out of calls outside of one. */
  run?: string;
  /** On whose behalf it is asked. No prompt has it. */
  tenant?: string;
}

/** The settings in the history: what is left out has its default. */
export type SentCall = Pick<
  StepCall,
  'model' | 'parameters' | 'corpus' | 'batch' | 'mostTokens' | 'run' | 'tenant'
> &
  Partial<CallSettings>;

/** A value, and when the attempt ran that gave it. */
export interface Timed<T> {
  value: T;
  /** Left out if nobody knows, as of an answer that came by batch. */
  ran?: Span;
}

/** What a step gives back to the workflow. */
export interface StepOutput<O> extends Timed<O> {
  /** The parsed result, or what stands in for it when there is an `unread`; nothing when there is a `fault`. */
  value: O;
  /** For a long text: where later steps find it. */
  ref?: TextRef;
  /** For an unreadable output: its text, shortened. */
  unread?: string;
  /** Set if the value is of a reply that is far longer than was asked for: it is unreadable too. */
  long?: true;
  /** For an error of the step's own code after a paid call: its message. */
  fault?: string;
  /** For a model that spent its tokens thinking: how many, 0 if unknown. */
  thinking?: number;
  /** Which other sample it is of, from 1; left out for the first. */
  resampled?: number;
  /** Set if the model was stopped at the token limit. */
  cut?: true;
  /**
   * Of an unreadable output that was cut: the tokens that can be written within the time of a call,
   * at the speed of this one.
   */
  mostTokens?: number;
  /** Set if these are less than twice the tokens that it was given. */
  tooSlow?: true;
  /** The provider's word for the end, if it means nothing known. */
  unknownEnd?: string;
  /** The parameters that the provider does not support, if the answer came without any. */
  unsupported?: readonly string[];
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of its backend, if it gives one. */
  fingerprint?: string;
  /** Who served the call behind a router, if it tells. */
  host?: string;
  /** The tier that served the call, if another one than the usual was asked for. */
  tier?: string;
  /** Hash of the prompt. */
  prompt: string;
  /** The key of the response in the cache. */
  key: string;
}
