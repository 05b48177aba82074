/** How much of a question's prompts earlier prompts had, and what that is worth. Pure. */
import type { ModelPrice, TierPrice } from '../../core/model-price.js';
import { costOf } from '../../llm/prices.js';

/** A call as its model is asked it. */
export interface AskedCall {
  /** Calls of one wave are asked side by side. */
  wave: number;
  prompt: string;
  completionTokens: number;
}

/** Tokens a question. */
export interface SharedTokens {
  calls: number;
  waves: number;
  prompt: number;
  completion: number;
  /** Of the prompts: a beginning that a prompt of an earlier wave of the question had. */
  earlier: number;
  /** The same of what comes later: also one that another prompt of the same wave has. */
  beside: number;
}

/** What a provider's prefix cache takes, in tokens: OpenAI's begins at 1,024, in steps of 128. */
export interface CacheRule {
  least: number;
  step: number;
}

export const OPENAI_CACHE: CacheRule = { least: 1024, step: 128 };
export const EVERY_TOKEN: CacheRule = { least: 1, step: 1 };

/** As the dry run counts them. */
const CHARACTERS = 4;

export function sharedTokens(calls: readonly AskedCall[], rule: CacheRule): SharedTokens {
  const sum = { calls: calls.length, waves: 0, prompt: 0, completion: 0, earlier: 0, beside: 0 };
  for (const [place, call] of calls.entries()) {
    const before = calls.filter(({ wave }) => wave < call.wave);
    const asked = calls.slice(0, place).filter(({ wave }) => wave <= call.wave);
    sum.prompt += tokens(call.prompt.length);
    sum.completion += call.completionTokens;
    sum.earlier += longest(call, before, rule);
    sum.beside += longest(call, asked, rule);
  }
  return { ...sum, waves: new Set(calls.map(({ wave }) => wave)).size };
}

/** Of a prompt, the longest beginning that one of the others has, as far as it is kept. */
function longest({ prompt }: AskedCall, others: readonly AskedCall[], rule: CacheRule): number {
  const shared = others.map((other) => Math.floor(common(prompt, other.prompt) / CHARACTERS));
  const most = Math.max(0, ...shared);
  if (most < rule.least) return 0;
  return rule.least + Math.floor((most - rule.least) / rule.step) * rule.step;
}

function common(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS);
}

/** US dollars for so many questions. */
export interface PrefixCosts {
  /** One by one, where nothing is cached. */
  standard: number;
  /** One by one, where the beginnings of earlier waves are. */
  cached: number;
  /** At the flex tier, with the same; null where the model has none. */
  flex: number | null;
  /** By batch: its lines see nothing of each other, and the waves before are hours ago. */
  batch: number;
  /** By batch, if the discount on cached prompts came on top for all that earlier waves had. */
  batchIfCached: number;
}

export function prefixCosts(
  { prompt, completion, earlier }: Pick<SharedTokens, 'prompt' | 'completion' | 'earlier'>,
  price: ModelPrice,
  questions: number,
): PrefixCosts | null {
  if (!price.batch) return null;
  const cost = (cached: number, at: TierPrice) =>
    questions *
    costOf({ promptTokens: prompt, cachedPromptTokens: cached, completionTokens: completion }, at);
  const discounted = { ...price.batch, cachedPrompt: price.cachedPrompt / 2 };
  return {
    standard: cost(0, price),
    cached: cost(earlier, price),
    flex: price.flex ? cost(earlier, price.flex) : null,
    batch: cost(0, price.batch),
    batchIfCached: cost(earlier, discounted),
  };
}

/**
 * The cached share of the prompts from which calls one by one cost no more than a batch; above 1
 * where they never do.
 */
export function evenShare({ prompt, completion }: SharedTokens, price: ModelPrice): number {
  const half = (prompt * price.prompt + completion * price.completion) / 2;
  return half / (prompt * (price.prompt - price.cachedPrompt));
}
