/** What a model costs. */

/** The price of a model, in US dollars per million tokens. */
export interface TokenPrice {
  /** Prompt tokens that are neither read from nor written into a cache. */
  prompt: number;
  /** Prompt tokens read from the provider's cache. */
  cachedPrompt: number;
  /** Prompt tokens written into the provider's cache; they cost as much as `prompt` if left out. */
  writtenPrompt?: number | undefined;
  completion: number;
}

/** Price of whole requests whose prompts exceed a number of tokens. */
interface LongerPrice extends TokenPrice {
  /** Tokens of the longest prompt that does not yet have this price. */
  above: number;
}

/** The price of a model at one service tier, in US dollars per million tokens. */
export interface TierPrice extends TokenPrice {
  /** Prices by the length of the prompt; the one with the largest matching `above` applies. */
  longer?: readonly LongerPrice[] | undefined;
}

/**
 * The prices of a model in US dollars per million tokens: at the standard tier, and at others if
 * known.
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

/** The service tiers that have prices of their own. */
export const PRICED_TIERS = ['flex', 'batch', 'priority'] as const;

/** A service tier that has prices of its own. */
export type PricedTier = (typeof PRICED_TIERS)[number];
