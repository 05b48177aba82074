/** Estimates the calls, tokens, cost and time of a run before it starts. Pure. */
import type { TokenPrice } from './model-price.js';

/** Numbers of prompt tokens and completion tokens, of one call or of several. */
export interface CallTokens {
  /** Number of prompt tokens. */
  prompt: number;
  /** Number of completion tokens. */
  completion: number;
}

/** The calls of one step of a run: their number, and the sums of their tokens. */
export interface StepTokens extends CallTokens {
  step: string;
  /** Model that the step asks. */
  model: string;
  /** Number of calls. */
  calls: number;
  /** Number of tokens of texts that are embedded or reranked. */
  embedded: number;
  /** Number of tokens of the longest prompt, on which some prices depend. @default 0 */
  longest?: number;
}

/**
 * A function that returns the highest prices that a step's calls can have with its model, as
 * `prompt` and `completion`, in US dollars per million tokens; undefined if they are unknown.
 * `longest` is the number of tokens of the step's longest prompt.
 */
export type PriceOf = (model: string, step: string, longest: number) => Price | undefined;

/** Prices of prompt and completion tokens, in US dollars per million tokens. */
export type Price = Pick<TokenPrice, 'prompt' | 'completion'>;

/** The rate limits of a run, in model calls and tokens per minute; undefined means no limit. */
export interface RateLimits {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/** The estimated calls, tokens, cost in US dollars and minutes of a run, summed over all steps. */
export interface Estimate extends CallTokens {
  calls: number;
  /** Number of tokens of texts that are embedded or reranked. */
  embedded: number;
  /**
   * Cost in US dollars without savings by prefix caching or the response cache; null if a price is
   * unknown.
   */
  costUsd: number | null;
  /** Cost in US dollars of the models whose price is known. */
  knownUsd: number;
  /** Distinct names of the models without a known price. */
  unpriced: string[];
  /** Duration in minutes if the tighter rate limit is used fully; null without limits. */
  minutes: number | null;
}

/**
 * Returns the estimated calls, tokens, cost in US dollars (null if a price is unknown) and minutes
 * of a run (null without rate limits), summed over its steps. The cost covers prompts and
 * completions, not embeddings.
 */
export function estimateRun(
  steps: readonly StepTokens[],
  priceOf: PriceOf,
  { requestsPerMinute, tokensPerMinute }: RateLimits = {},
): Estimate {
  const sum = (of: (step: StepTokens) => number) =>
    steps.reduce((total, step) => total + of(step), 0);
  const [calls, prompt, completion] = [
    sum((step) => step.calls),
    sum((step) => step.prompt),
    sum((step) => step.completion),
  ];
  const byLimit = [
    ...(requestsPerMinute === undefined ? [] : [calls / requestsPerMinute]),
    ...(tokensPerMinute === undefined ? [] : [(prompt + completion) / tokensPerMinute]),
  ];
  const asked = steps.filter((step) => step.prompt > 0);
  const priced = asked.map((step) => {
    return { ...step, price: priceOf(step.model, step.step, step.longest ?? 0) };
  });
  const unpriced = priced.filter(({ price }) => price === undefined);
  const knownUsd = priced.reduce((total, { prompt, completion, price }) => {
    const usd = price ? prompt * price.prompt + completion * price.completion : 0;
    return total + usd / 1_000_000;
  }, 0);
  return {
    calls,
    prompt,
    completion,
    embedded: sum((step) => step.embedded),
    costUsd: unpriced.length > 0 ? null : knownUsd,
    knownUsd,
    unpriced: [...new Set(unpriced.map(({ model }) => model))],
    minutes: byLimit.length === 0 ? null : Math.max(...byLimit),
  };
}

/** Average number of characters per token of English text. */
export const CHARACTERS_A_TOKEN = 4;

/**
 * Returns an estimate of the number of tokens of a text: one for four ASCII characters, and one for
 * two UTF-8 bytes of other characters. For the scripts tried, this is more than the tokenizers
 * o200k and cl100k count.
 */
export function tokensOf(text: string): number {
  return Math.ceil(englishLength(text) / CHARACTERS_A_TOKEN);
}

/**
 * Returns the number of characters of English text that has as many tokens as the text, by the
 * estimate of `tokensOf`.
 */
export function englishLength(text: string): number {
  const others = text.match(OTHERS)?.length ?? 0;
  if (others === 0) return text.length;
  const threeBytes = text.match(OF_THREE_BYTES)?.length ?? 0;
  const tokens = others + threeBytes / 2;
  return text.length - others + tokens * CHARACTERS_A_TOKEN;
}

/**
 * Matches non-ASCII UTF-16 units; each half of a surrogate pair counts as two of its four bytes.
 */
const OTHERS = /[^\0-\x7f]/g;
const OF_THREE_BYTES = /[\u0800-\ud7ff\ue000-\uffff]/g;
