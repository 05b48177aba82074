/** What a batch would take, before anything is asked. Pure. */

/** What one model call takes. */
export interface CallTokens {
  prompt: number;
  completion: number;
}

export interface EstimateInput {
  questions: number;
  /** By the method's formula. */
  callsPerQuestion: number;
  /** Mean of a call. */
  tokens: CallTokens;
  /** US dollars per million tokens; undefined where the price is not known. */
  price: { prompt: number; completion: number } | undefined;
  /** Calls and tokens a minute; undefined where there is no limit. */
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

export interface Estimate {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  /** Without what prefix caching and the response cache save; null where no price is known. */
  costUsd: number | null;
  /** At the limits given; null where there is none: then the provider's speed decides. */
  minutes: number | null;
}

/** Calls by formula, tokens by what a call takes, cost by price, time by the tighter limit. */
export function estimateBatch(input: EstimateInput): Estimate {
  const { questions, callsPerQuestion, tokens, price } = input;
  const { requestsPerMinute, tokensPerMinute } = input;
  const calls = Math.round(questions * callsPerQuestion);
  const promptTokens = Math.round(calls * tokens.prompt);
  const completionTokens = Math.round(calls * tokens.completion);
  const byLimit = [
    requestsPerMinute === undefined ? 0 : calls / requestsPerMinute,
    tokensPerMinute === undefined ? 0 : (promptTokens + completionTokens) / tokensPerMinute,
  ];
  const isLimited = requestsPerMinute !== undefined || tokensPerMinute !== undefined;
  return {
    calls,
    promptTokens,
    completionTokens,
    costUsd: price
      ? (promptTokens * price.prompt + completionTokens * price.completion) / 1_000_000
      : null,
    minutes: isLimited ? Math.max(...byLimit) : null,
  };
}

/** About how many tokens a text has: four characters each, as is usual for English. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
