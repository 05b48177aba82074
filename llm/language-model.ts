/** The language-model port: what a step needs of a provider, and nothing of how it is reached. */

import type { Tier } from '../core/tier.js';

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
  /** Tokens the visible answer may take. Models that think before it get an allowance on top. */
  maxTokens: number;
  /** An asking before this one spent all of its tokens thinking: this one needs the allowance. */
  thinks?: true;
  /** How much to think before the answer: "low", "high"; left to the provider when absent. */
  reasoningEffort?: string;
  seed?: number;
  /** Ends the answer, before any of these texts that it would hold. */
  stop?: readonly string[];
  /** Holds the answer to a JSON schema. A model that cannot throws, and never goes on without. */
  schema?: OutputSchema;
  /** Asks for `Completion.logprob`. */
  logprobs?: true;
  /** How soon: decides when the answer comes and what it costs, and not what it is. */
  tier?: Exclude<Tier, 'standard'>;
}

/** Tokens of one call. `cachedPromptTokens` is the part of `promptTokens` the provider had cached. */
export interface TokenUsage {
  promptTokens: number;
  cachedPromptTokens: number;
  completionTokens: number;
}

/** At which tier a call was served that was asked for at another one than the usual. */
export interface ServedTier {
  /**
   * As the provider names it ("flex", "default"); "refused" where it knows no such tier and was
   * asked without, "unsaid" where it answered without a word about it.
   */
  served: string;
  /** US dollars the same tokens cost at the usual tier; null when that price is not known. */
  standardUsd: number | null;
}

export interface Completion {
  /** As the model wrote it; thinking that stands before the answer is taken off by who asks. */
  text: string;
  /** True when the provider stopped at the token limit (finish_reason "length"). */
  cut: boolean;
  /**
   * How much of it was thinking: "some" where the provider tells of thoughts beside the text, "all"
   * where the tokens were used up before an answer began. Absent where nothing tells of any.
   */
  thinking?: 'some' | 'all' | undefined;
  /** Logarithm of the text's probability; absent where it was not asked for or is not given. */
  logprob?: number | undefined;
  usage: TokenUsage;
  /** US dollars, by the tier that served it; null when the price table does not know the model. */
  costUsd: number | null;
  /** The model name the provider says it served. */
  servedModel: string;
  /** The provider's fingerprint of the backend configuration, where it gives one. */
  fingerprint: string | null;
  /** Absent where the usual tier was asked for and nothing else was served. */
  tier?: ServedTier | undefined;
}

export interface LanguageModel {
  /** Identifies the endpoint in cache keys and manifests; holds no secret. */
  readonly provider: string;
  /**
   * Makes exactly one request to the provider.
   *
   * @throws Failure with the type that tells whether a retry makes sense.
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}
