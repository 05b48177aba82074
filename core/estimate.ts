/** Estimates what a run would take, before any call. Pure. */

/** Numbers of tokens of calls; also prices in US dollars per million of them. */
export interface CallTokens {
  /** Prompt tokens. */
  prompt: number;
  /** Completion tokens. */
  completion: number;
}

/** The calls of one step, with the sums of their tokens. */
export interface StepTokens extends CallTokens {
  step: string;
  /** Model that the step asks. */
  model: string;
  /** Number of calls. */
  calls: number;
  /** Tokens of texts that are embedded or scored. */
  embedded: number;
  /** Tokens of the longest prompt, on which some prices depend. @default 0 */
  longest?: number;
}

/**
 * Returns the highest price of a step's model, in US dollars per million tokens, for its longest
 * prompt in tokens; undefined if the price is unknown.
 */
export type PriceOf = (model: string, step: string, longest: number) => CallTokens | undefined;

/** Rate limits of a run; no limit if undefined. */
export interface Limits {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/** What a run is estimated to take: calls, tokens, cost and time. */
export interface Estimate extends CallTokens {
  calls: number;
  /** Tokens of texts that are embedded or scored. */
  embedded: number;
  /**
   * Cost in US dollars without savings by prefix caching or the response cache; null if a price is
   * unknown.
   */
  costUsd: number | null;
  /** Cost in US dollars of the models whose price is known. */
  knownUsd: number;
  /** Models without a known price. */
  unpriced: string[];
  /** Minutes at the given limits; null without limits, when the provider's speed decides. */
  minutes: number | null;
}

/** Sums steps: cost by the price of each step's model, time by the tighter limit. */
export function estimateRun(
  steps: readonly StepTokens[],
  priceOf: PriceOf,
  { requestsPerMinute, tokensPerMinute }: Limits = {},
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

/** Characters of a token in English text. */
export const CHARACTERS_A_TOKEN = 4;

/**
 * Estimates the tokens of a text: four characters each, as usual for English, and two bytes of
 * UTF-8 each for non-ASCII characters, which is more than o200k and cl100k need for the scripts
 * tried.
 */
export function tokensOf(text: string): number {
  return Math.ceil(englishLength(text) / CHARACTERS_A_TOKEN);
}

/** Returns the number of English characters with as many tokens as the text. */
export function englishLength(text: string): number {
  const others = text.match(OTHERS)?.length ?? 0;
  if (others === 0) return text.length;
  const threeBytes = text.match(OF_THREE_BYTES)?.length ?? 0;
  const tokens = others + threeBytes / 2;
  return text.length - others + tokens * CHARACTERS_A_TOKEN;
}

/**
 * Matches non-ASCII UTF-16 units; each half of a surrogate pair stands for two of its four bytes.
 */
const OTHERS = /[^\0-\x7f]/g;
const OF_THREE_BYTES = /[\u0800-\ud7ff\ue000-\uffff]/g;
