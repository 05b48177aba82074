/** What a model costs. */

/** US dollars per million tokens. */
export interface TierPrice {
  prompt: number;
  /** Prompt tokens the provider had cached. */
  cachedPrompt: number;
  completion: number;
}

/** US dollars per million tokens, also for the slower tiers if they have a price. */
export interface ModelPrice extends TierPrice {
  /** Of calls that were served at the flex tier. */
  flex?: TierPrice | undefined;
  /** Of calls that went through a batch endpoint. */
  batch?: TierPrice | undefined;
}

/** The tiers that have prices of their own. */
export type PricedTier = 'flex' | 'batch';
