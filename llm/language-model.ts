/** The language-model port: what a step needs of a provider, and nothing of how it is reached. */

import type { Tier } from '../core/tier.js';

/** One message of a prompt. */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A JSON schema that an answer is held to. */
export interface OutputSchema {
  /** Letters, digits, "_" and "-", at most 64. */
  name: string;
  schema: Record<string, unknown>;
}

/** Everything that decides a model's answer. */
export interface CompletionRequest {
  model: string;
  messages: Message[];
  /** 0 is greedy. */
  temperature: number;
  /** Nucleus sampling; left to the provider when absent. */
  topP?: number;
  /** Tokens of the visible answer. Models that think get an allowance on top. */
  maxTokens: number;
  /** An earlier attempt spent all tokens thinking: this one needs the allowance. */
  thinks?: true;
  /**
   * The tokens, thoughts included, that can be written before the call is given up, at the speed of
   * an earlier attempt: the limit that is sent is not larger.
   */
  mostTokens?: number;
  /** How much to think before the answer: "low", "high"; left to the provider when absent. */
  reasoningEffort?: string;
  seed?: number;
  /** Texts before which the answer ends. */
  stop?: readonly string[];
  /** The JSON schema of the answer. A model that cannot keep to it throws. */
  schema?: OutputSchema;
  /** Asks for `Completion.logprob`. */
  logprobs?: true;
  /** What the model thinks is a part of its text: the caller does not take it off. */
  keepsThinking?: true;
  /** Fields of one's own in the body of the request. A model that cannot send them throws. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** The tier: when the answer comes and what it costs, not what it is. */
  tier?: Exclude<Tier, 'standard'>;
}

/** The parameters of a request that a provider may not support, and that an answer can do without. */
export const PARAMETERS = [
  'temperature',
  'topP',
  'seed',
  'stop',
  'reasoningEffort',
  'logprobs',
] as const satisfies (keyof CompletionRequest)[];
export type Parameter = (typeof PARAMETERS)[number];

/** Tokens of one call. */
export interface TokenUsage {
  promptTokens: number;
  /** The part of `promptTokens` that the provider had cached. */
  cachedPromptTokens: number;
  /** The part of `promptTokens` that the provider wrote into its cache; left out if it tells none. */
  writtenPromptTokens?: number | undefined;
  /** With the tokens of thinking; 0 if nothing is written. */
  completionTokens: number;
}

/** What a call took. */
export interface Paid {
  /** Null if the provider does not tell it: unknown, not 0. */
  usage: TokenUsage | null;
  /** US dollars, as the provider states them or by the tier that served it; null if not known. */
  costUsd: number | null;
  /** The provider stated the cost; left out if it follows from tokens and prices. */
  isStated?: true | undefined;
}

/** The tier that served a call, if another one than the usual was asked for. */
export interface ServedTier {
  /**
   * The provider's name ("flex", "default"); "refused" where it has no such tier and was asked
   * without, "unsaid" where its answer names none.
   */
  served: string;
  /** US dollars the same tokens cost at the usual tier; null when that price is not known. */
  standardUsd: number | null;
}

/**
 * How a generation ended whose text can be used: by itself, at a limit of tokens, or by a word of
 * the provider that means nothing known.
 */
export type GenerationEnd = 'finished' | 'cut' | { unknown: string };

/** An answer of a model, with its tokens and how it ended. */
export interface Completion extends Paid {
  /** As the model wrote it; the caller removes thinking before it. */
  text: string;
  /** How it ended. */
  end: GenerationEnd;
  /**
   * How much of it was thinking: "some" if the provider reports thoughts beside the text, "all" if
   * no answer came of them. Absent if nothing reports any.
   */
  thinking?: 'some' | 'all' | undefined;
  /** Logarithm of the text's probability; absent where it was not asked for or is not given. */
  logprob?: number | undefined;
  /** The model name the provider says it served. */
  servedModel: string;
  /** The provider's fingerprint of its backend, if it gives one. */
  fingerprint: string | null;
  /** Who served it behind a router such as OpenRouter, if the answer tells. */
  host?: string | undefined;
  /** What was asked for and the provider does not support: the answer came without it. */
  unsupported?: readonly Parameter[] | undefined;
  /** Absent where the usual tier was asked for and nothing else was served. */
  tier?: ServedTier | undefined;
}

/** A model that answers prompts: the port of providers. */
export interface LanguageModel {
  /** Identifies the endpoint in cache keys and manifests; holds no secret. */
  readonly provider: string;
  /**
   * Makes exactly one request to the provider.
   *
   * @throws Failure with the type that tells whether a retry makes sense: also for a generation that
   *   was refused or broke off, whatever text there is.
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}
