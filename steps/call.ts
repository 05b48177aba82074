/** Types of the settings of a step's call and of its output. Types only. */

import type { CallSettings } from '../core/call-defaults.js';
import type { QuestionTransport } from '../core/provider-batches.js';
import type { Span } from '../core/span.js';
import type { ModelParameters } from '../core/step-models.js';
import type { CallUsage } from '../core/usage.js';
import type { TextRef } from './text-ref.js';

/**
 * The settings of one call of a step, in addition to its input. They are the same for all methods.
 */
export interface StepCall extends CallSettings {
  model: string;
  /** Parameters that replace the step's own. */
  parameters?: ModelParameters;
  /** Batch settings; absent if the call does not go through a batch endpoint. */
  batch?: QuestionTransport;
  /** See `CompletionRequest.mostTokens`; estimated from the speed of the previous attempt. */
  mostTokens?: number;
  /** Name of the run that the question belongs to; absent outside a run. */
  run?: string;
  /** Tenant that the call is made for; it is not part of the prompt. */
  tenant?: string;
}

/**
 * The settings of a call as the history records them: those that equal `CALL_DEFAULTS` are left
 * out.
 */
export type SentCall = Pick<
  StepCall,
  'model' | 'parameters' | 'batch' | 'mostTokens' | 'run' | 'tenant'
> &
  Partial<CallSettings>;

/** A value, with the time span of the attempt that returned it. */
export interface Timed<T> {
  value: T;
  /** Time span; absent if unknown, for example for an answer by batch. */
  ran?: Span;
}

/**
 * The result of a step's activity: the value as read from the model's output, with usage and notes.
 */
export interface StepOutput<O> extends Timed<O> {
  /** The value; the step's fallback if `unread` is set, undefined if `fault` is. */
  value: O;
  /** Reference to a long text, for later steps. */
  ref?: TextRef;
  /** The text of an output that could not be read, shortened; absent if it was read. */
  unread?: string;
  /**
   * Set if the reply was far longer than asked for. It is asked again like an unreadable one.
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
  /** Set if `mostTokens` is less than twice the tokens that the attempt had. */
  tooSlow?: true;
  /** The provider's finish reason, if its meaning is unknown. */
  unknownEnd?: string;
  /** Parameters that were left out because the provider does not support them. */
  unsupported?: readonly string[];
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of its backend, if it has one. */
  fingerprint?: string;
  /** The host behind a router such as OpenRouter, if known. */
  host?: string;
  /** The tier that served the call, if another tier than standard was requested. */
  tier?: string;
  /** Hash of the prompt. */
  prompt: string;
  /** The key of the response in the cache. */
  key: string;
}
