/** Types of the settings of a step's call, and of its output. Types only. */

import type { CallSettings } from '../core/call-defaults.js';
import type { QuestionTransport } from '../core/provider-batches.js';
import type { Span } from '../core/span.js';
import type { ModelParameters } from '../core/step-models.js';
import type { CallUsage } from '../core/usage.js';
import type { TextRef } from './text-ref.js';

/**
 * The settings of one call of a model step, in addition to its input: model, parameters, batch,
 * run, tenant, and the settings of `CALL_DEFAULTS`, none of them left out.
 */
export interface StepCall extends CallSettings {
  /** Name of the model. */
  model: string;
  /** Parameters that replace the step's own; absent if there are none. */
  parameters?: ModelParameters;
  /** Batch settings; absent if the call does not go through a batch endpoint. */
  batch?: QuestionTransport;
  /**
   * Maximum number of tokens that fit into the time of a call, estimated from the speed of the
   * previous attempt; absent at first. See `CompletionRequest.mostTokens`.
   */
  mostTokens?: number;
  /** Name of the run that the question belongs to; absent outside a run. */
  run?: string;
  /**
   * Tenant on whose behalf the call is made; absent if there is none. It is not part of the prompt.
   */
  tenant?: string;
}

/**
 * The settings of a call of a model step as histories record them: without those that equal
 * `CALL_DEFAULTS`.
 */
export type SentCall = Pick<
  StepCall,
  'model' | 'parameters' | 'batch' | 'mostTokens' | 'run' | 'tenant'
> &
  Partial<CallSettings>;

/**
 * A `value`, with the time span of the attempt that returned it (`ran`), which is absent if
 * unknown.
 */
export interface Timed<T> {
  value: T;
  /** Time span; absent if unknown, for example for an answer by batch. */
  ran?: Span;
}

/**
 * The result of a model step's activity: the value read from the model's output, the model and its
 * usage, when it ran, and remarks, for example that the output was cut or could not be read.
 */
export interface StepOutput<O> extends Timed<O> {
  /**
   * The value: the step's fallback if `unread` is set without `long`, undefined if `fault` is set.
   */
  value: O;
  /** Reference to the value if it is a long text, for later steps. */
  ref?: TextRef;
  /** The text of an output that could not be read, shortened; absent if it was read. */
  unread?: string;
  /** Set if the reply was far longer than requested. It is asked again like an unreadable one. */
  long?: true;
  /** Message of an error in the step's own code after a paid call; absent if there was none. */
  fault?: string;
  /**
   * Number of tokens that the model spent on thinking without an answer, 0 if unknown; absent if it
   * answered.
   */
  thinking?: number;
  /** Number of the further sample whose response was read, from 1; absent for the first. */
  resampled?: number;
  /** Set if the model was stopped at the token limit. */
  cut?: true;
  /**
   * Number of tokens that fit into the time of a call at this one's speed; only for an unreadable
   * output that was cut.
   */
  mostTokens?: number;
  /** Set if `mostTokens` is less than twice the number that the attempt was allowed. */
  tooSlow?: true;
  /** The provider's finish reason, if its meaning is unknown; otherwise absent. */
  unknownEnd?: string;
  /**
   * Names of the parameters that were left out because the provider does not support them; absent
   * if there are none.
   */
  unsupported?: readonly string[];
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of its backend, if it has one. */
  fingerprint?: string;
  /** The host behind a router such as OpenRouter, if known. */
  host?: string;
  /**
   * The tier that served the paid call, as in `ServedTier`; absent if the usual tier was asked for
   * and served, or if the response was stored.
   */
  tier?: string;
  /** Hash of the prompt's template. */
  prompt: string;
  /** Key of the response in the cache. */
  key: string;
}
