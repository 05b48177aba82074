/** What a model costs. */

/** US dollars per million tokens. */
export interface ModelPrice {
  prompt: number;
  /** Prompt tokens the provider had cached. */
  cachedPrompt: number;
  completion: number;
}
