/**
 * The interface of language models: what a step needs of a provider, independent of the connection.
 */

import type { Tier } from '../core/tier.js';

/** One message of a prompt: its role and its text. */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A JSON schema that an answer must match, with a name. */
export interface OutputSchema {
  /** Name of the schema: letters, digits, "_" and "-", at most 64. */
  name: string;
  schema: Record<string, unknown>;
}

/**
 * A request to a language model: the model, the messages, the limit of tokens, and the parameters
 * of sampling and of the answer.
 */
export interface CompletionRequest {
  model: string;
  messages: Message[];
  /** Sampling temperature; 0 is greedy. */
  temperature: number;
  /** Nucleus sampling; absent for the provider's default. */
  topP?: number;
  /**
   * Maximum number of tokens of the visible answer. Models that think may use an allowance in
   * addition.
   */
  maxTokens: number;
  /**
   * Set if an earlier attempt spent all tokens on thinking, so that this one gets the allowance.
   */
  thinks?: true;
  /**
   * Maximum number of tokens, thoughts included, that can be written before the call times out, at
   * the speed of an earlier attempt. The limit sent to the provider is not larger. Absent if
   * unknown.
   */
  mostTokens?: number;
  /**
   * Amount of thinking before the answer, such as "low" or "high"; absent for the provider's
   * default.
   */
  reasoningEffort?: string;
  seed?: number;
  /** Texts at which the answer stops. */
  stop?: readonly string[];
  /** JSON schema of the answer. A model that cannot follow it throws. */
  schema?: OutputSchema;
  /** Set to ask for `Completion.logprob`. */
  logprobs?: true;
  /** Set to keep the model's thinking in its text; otherwise the caller removes it. */
  keepsThinking?: true;
  /** Custom fields of the request's body. A model that cannot send them throws. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** Service tier, which affects the time and cost of the answer, but not its content. */
  tier?: Exclude<Tier, 'standard'>;
}

/**
 * Names of the fields of `CompletionRequest` that a provider may not support and that a request can
 * do without.
 */
export const PARAMETERS = [
  'temperature',
  'topP',
  'seed',
  'stop',
  'reasoningEffort',
  'logprobs',
] as const satisfies (keyof CompletionRequest)[];
/** Name of a field of `CompletionRequest` that a provider may not support. */
export type Parameter = (typeof PARAMETERS)[number];

/**
 * Numbers of tokens that a call used: of the prompt, of its part in the provider's cache, and of
 * the completion.
 */
export interface TokenUsage {
  /** Prompt tokens, cached ones included. */
  promptTokens: number;
  /** The part of `promptTokens` read from the provider's cache. */
  cachedPromptTokens: number;
  /** The part of `promptTokens` written into the provider's cache; absent if not reported. */
  writtenPromptTokens?: number | undefined;
  /** Completion tokens, thinking included; 0 if nothing is generated. */
  completionTokens: number;
}

/**
 * The usage of one call to a provider, in tokens, and its cost in US dollars; each is null if it
 * is unknown.
 */
export interface Paid {
  /** Usage; null if the provider does not report it, so it is unknown, not 0. */
  usage: TokenUsage | null;
  /**
   * Cost in US dollars, as the provider reports it or by the tier that served it; null if unknown.
   */
  costUsd: number | null;
  /** Set if the provider reported the cost; absent if it is computed from tokens and prices. */
  isStated?: true | undefined;
}

/**
 * The service tier that served a call, if another tier than the usual one was requested or served,
 * and the cost of the same tokens at the usual tier.
 */
export interface ServedTier {
  /**
   * The provider's name of the tier, such as "flex" or "default". "refused" if it refused the tier
   * and the call was made without it; "unsaid" if its answer names none.
   */
  served: string;
  /** Cost of the same tokens at the usual tier, in US dollars; null if that price is unknown. */
  standardUsd: number | null;
}

/**
 * The way in which a generation with usable text ended: normally, at a token limit, or with an
 * unknown word of the provider.
 */
export type GenerationEnd = 'finished' | 'cut' | { unknown: string };

/** A model's answer to one request: its text, how it ended, its usage and its cost. */
export interface Completion extends Paid {
  /** The text as generated; the caller removes thinking before it. */
  text: string;
  /** End of the generation. */
  end: GenerationEnd;
  /**
   * Share of thinking in the generation: "some" if thoughts were reported besides the text,
   * "all" if there is no answer. Absent if none was reported.
   */
  thinking?: 'some' | 'all' | undefined;
  /** Logarithm of the text's probability; absent if not asked for or not provided. */
  logprob?: number | undefined;
  /** Name of the served model, according to the provider. */
  servedModel: string;
  /** The provider's fingerprint of its backend; null if it has none. */
  fingerprint: string | null;
  /** The host behind a router such as OpenRouter; absent if unknown. */
  host?: string | undefined;
  /** Requested parameters that the provider does not support; the answer was made without them. */
  unsupported?: readonly Parameter[] | undefined;
  /** The served tier; absent if the usual one was asked for and served. */
  tier?: ServedTier | undefined;
}

/**
 * A language model: its method `complete` sends one request to the provider and returns the
 * answer. Each provider implements this interface.
 */
export interface LanguageModel {
  /** Identifies the endpoint in cache keys and manifests; contains no secret. */
  readonly provider: string;
  /**
   * Makes exactly one request to the provider.
   *
   * @throws Failure whose type tells whether a retry makes sense; also for a generation that was
   * refused or broke off, whatever text there is.
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}
