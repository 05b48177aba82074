/** Types of the prices of models. Types only, except for the names of tiers. */

/**
 * Prices of a model's tokens in US dollars per million: of prompts, of their parts read from and
 * written into the provider's cache, and of completions.
 */
export interface TokenPrice {
  /** Price of prompt tokens that are neither read from nor written into a cache. */
  prompt: number;
  /** Price of prompt tokens read from the provider's cache. */
  cachedPrompt: number;
  /** Price of prompt tokens written into the provider's cache. @default `prompt` */
  writtenPrompt?: number | undefined;
  completion: number;
}

/** Price of whole requests whose prompts exceed a number of tokens. */
interface LongerPrice extends TokenPrice {
  /** Maximum number of prompt tokens at which this price does not yet apply. */
  above: number;
}

/**
 * Prices of a model at one service tier, in US dollars per million tokens, with other prices for
 * prompts above a number of tokens.
 */
export interface TierPrice extends TokenPrice {
  /**
   * Prices of requests with long prompts, which apply to all their tokens; of those whose `above`
   * is exceeded, the one with the largest applies.
   */
  longer?: readonly LongerPrice[] | undefined;
}

/**
 * Prices of a model at each service tier, in US dollars per million tokens; its own fields are
 * those of the standard tier.
 */
export interface ModelPrice extends TierPrice {
  /** Price of calls served at the flex tier. */
  flex?: TierPrice | undefined;
  /** Price of calls through a batch endpoint. */
  batch?: TierPrice | undefined;
  /** Price of calls served at the priority tier, which costs more. */
  priority?: TierPrice | undefined;
  /** The day on which the price was checked, such as "2026-11-27". */
  asOf?: string | undefined;
}

/**
 * The service tiers other than standard that have prices of their own: flex, batch and priority.
 */
export const PRICED_TIERS = ['flex', 'batch', 'priority'] as const;

/** A service tier other than standard that has prices of its own: flex, batch or priority. */
export type PricedTier = (typeof PRICED_TIERS)[number];
