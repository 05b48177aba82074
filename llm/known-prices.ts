/**
 * List prices of well-known OpenAI models, noted on 2026-11-21. Prices change: DURABLE_RAG_PRICES
 * overrides any line. The prices of batches are half of these, and those of flex are the batches'
 * with the discount on cached prompts, for the models that were listed with them. Models whose
 * price public listings did not agree on are left out, so that their cost is unknown and not wrong.
 */
import type { ModelPrice } from '../core/model-price.js';

const price = (prompt: number, cachedPrompt: number, completion: number): ModelPrice => ({
  prompt,
  cachedPrompt,
  completion,
});

/** Sold by batch endpoints at half price. Listings give no discount on cached prompts beside it. */
const batched = (prompt: number, cachedPrompt: number, completion: number): ModelPrice => ({
  ...price(prompt, cachedPrompt, completion),
  batch: price(prompt / 2, prompt / 2, completion / 2),
});

/** Sold at the flex tier as well: at half price, the discount on cached prompts on top. */
const flexible = (prompt: number, cachedPrompt: number, completion: number): ModelPrice => ({
  ...batched(prompt, cachedPrompt, completion),
  flex: price(prompt / 2, cachedPrompt / 2, completion / 2),
});

/** US dollars per million tokens: prompt, cached prompt, completion. */
export const knownPrices: Readonly<Record<string, ModelPrice>> = {
  'gpt-5.5': flexible(5, 0.5, 30),
  'gpt-5.4': flexible(2.5, 0.25, 15),
  'gpt-5.4-mini': flexible(0.75, 0.075, 4.5),
  'gpt-5.4-nano': flexible(0.2, 0.02, 1.25),
  'gpt-5.2': flexible(1.75, 0.175, 14),
  'gpt-5.2-chat': price(1.75, 0.175, 14),
  'gpt-5.1': flexible(1.25, 0.125, 10),
  'gpt-5.1-chat': price(1.25, 0.125, 10),
  'gpt-5': flexible(1.25, 0.125, 10),
  'gpt-5-chat': price(1.25, 0.125, 10),
  'gpt-5-mini': flexible(0.25, 0.025, 2),
  'gpt-5-nano': flexible(0.05, 0.005, 0.4),
  'gpt-5-pro': batched(15, 15, 120),
  'gpt-4.1': batched(2, 0.5, 8),
  'gpt-4.1-mini': batched(0.4, 0.1, 1.6),
  'gpt-4.1-nano': batched(0.1, 0.025, 0.4),
  'gpt-4o': batched(2.5, 1.25, 10),
  'gpt-4o-2024-05-13': batched(5, 5, 15),
  'gpt-4o-mini': batched(0.15, 0.075, 0.6),
  'chatgpt-4o': price(5, 5, 15),
  o1: batched(15, 7.5, 60),
  'o1-mini': price(1.1, 0.55, 4.4),
  'o1-pro': price(150, 150, 600),
  o3: flexible(2, 0.5, 8),
  'o3-mini': batched(1.1, 0.55, 4.4),
  'o3-pro': batched(20, 20, 80),
  'o4-mini': flexible(1.1, 0.275, 4.4),
  'gpt-4-turbo': price(10, 10, 30),
  'gpt-4-1106-preview': price(10, 10, 30),
  'gpt-4-0125-preview': price(10, 10, 30),
  'gpt-4': price(30, 30, 60),
  'gpt-4-0613': price(30, 30, 60),
  'gpt-3.5-turbo': price(0.5, 0.5, 1.5),
  'gpt-3.5-turbo-0125': price(0.5, 0.5, 1.5),
  'gpt-3.5-turbo-1106': price(1, 1, 2),
  'gpt-3.5-turbo-instruct': price(1.5, 1.5, 2),
  'text-embedding-3-small': price(0.02, 0.02, 0),
  'text-embedding-3-large': price(0.13, 0.13, 0),
  'text-embedding-ada-002': price(0.1, 0.1, 0),
};
