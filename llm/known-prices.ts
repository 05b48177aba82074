/**
 * List prices of well-known OpenAI models, noted on 2026-11-21. Prices change: DURABLE_RAG_PRICES
 * overrides any line. Models whose price public listings did not agree on are left out, so that
 * their cost is unknown and not wrong.
 */
import type { ModelPrice } from './model-price.js';

const price = (prompt: number, cachedPrompt: number, completion: number): ModelPrice => ({
  prompt,
  cachedPrompt,
  completion,
});

/** US dollars per million tokens: prompt, cached prompt, completion. */
export const knownPrices: Readonly<Record<string, ModelPrice>> = {
  'gpt-5.5': price(5, 0.5, 30),
  'gpt-5.4': price(2.5, 0.25, 15),
  'gpt-5.4-mini': price(0.75, 0.075, 4.5),
  'gpt-5.4-nano': price(0.2, 0.02, 1.25),
  'gpt-5.2': price(1.75, 0.175, 14),
  'gpt-5.2-chat': price(1.75, 0.175, 14),
  'gpt-5.1': price(1.25, 0.125, 10),
  'gpt-5.1-chat': price(1.25, 0.125, 10),
  'gpt-5': price(1.25, 0.125, 10),
  'gpt-5-chat': price(1.25, 0.125, 10),
  'gpt-5-mini': price(0.25, 0.025, 2),
  'gpt-5-nano': price(0.05, 0.005, 0.4),
  'gpt-5-pro': price(15, 15, 120),
  'gpt-4.1': price(2, 0.5, 8),
  'gpt-4.1-mini': price(0.4, 0.1, 1.6),
  'gpt-4.1-nano': price(0.1, 0.025, 0.4),
  'gpt-4o': price(2.5, 1.25, 10),
  'gpt-4o-2024-05-13': price(5, 5, 15),
  'gpt-4o-mini': price(0.15, 0.075, 0.6),
  'chatgpt-4o': price(5, 5, 15),
  o1: price(15, 7.5, 60),
  'o1-mini': price(1.1, 0.55, 4.4),
  'o1-pro': price(150, 150, 600),
  o3: price(2, 0.5, 8),
  'o3-mini': price(1.1, 0.55, 4.4),
  'o3-pro': price(20, 20, 80),
  'o4-mini': price(1.1, 0.275, 4.4),
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
