/** What a model costs. */

/** US dollars per million tokens. */
export interface TokenPrice {
  prompt: number;
  /** Prompt tokens that the provider had cached. */
  cachedPrompt: number;
  /** Prompt tokens that the provider wrote into its cache; left out, they cost as `prompt` says. */
  writtenPrompt?: number | undefined;
  completion: number;
}

/** The price of whole requests whose prompts are longer than a number of tokens. */
export interface LongerPrice extends TokenPrice {
  /** Tokens of the longest prompt that does not have this price. */
  above: number;
}

/** US dollars per million tokens at one service tier. */
export interface TierPrice extends TokenPrice {
  /** Prices by the length of the prompt; the one with the largest `above` that fits is taken. */
  longer?: readonly LongerPrice[] | undefined;
}

/** US dollars per million tokens, also at the other service tiers if they have a price. */
export interface ModelPrice extends TierPrice {
  /** Of calls that were served at the flex tier. */
  flex?: TierPrice | undefined;
  /** Of calls that went through a batch endpoint. */
  batch?: TierPrice | undefined;
  /** Of calls that were served ahead of others, for more. */
  priority?: TierPrice | undefined;
  /** The day on which the price was true, such as "2026-11-27". */
  asOf?: string | undefined;
}

/** The service tiers that have prices of their own. */
export const PRICED_TIERS = ['flex', 'batch', 'priority'] as const;

export type PricedTier = (typeof PRICED_TIERS)[number];
