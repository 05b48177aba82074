/** The language-model port: what a step needs of a provider, and nothing of how it is reached. */

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Everything that decides a model's answer. */
export interface CompletionRequest {
  model: string;
  messages: Message[];
  /** 0 is greedy. */
  temperature: number;
  /** Nucleus sampling; left to the provider when absent. */
  topP?: number;
  /** Tokens the visible answer may take. Reasoning models get an allowance on top. */
  maxTokens: number;
  seed?: number;
  /** Asks for `Completion.logprob`. */
  logprobs?: true;
}

/** Tokens of one call. `cachedPromptTokens` is the part of `promptTokens` the provider had cached. */
export interface TokenUsage {
  promptTokens: number;
  cachedPromptTokens: number;
  completionTokens: number;
}

export interface Completion {
  text: string;
  /** True when the provider stopped at the token limit (finish_reason "length"). */
  cut: boolean;
  /** Logarithm of the text's probability; absent where it was not asked for or is not given. */
  logprob?: number | undefined;
  usage: TokenUsage;
  /** US dollars; null when the price table does not know the model. */
  costUsd: number | null;
  /** The model name the provider says it served. */
  servedModel: string;
  /** The provider's fingerprint of the backend configuration, where it gives one. */
  fingerprint: string | null;
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
