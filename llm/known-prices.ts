/**
 * List prices of models that only their maker sells under this name, each with the day on which a
 * public listing stated it. Prices change: DURABLE_RAG_PRICES overrides any of them. Models and
 * tiers without a listed price are left out, so that their cost is unknown rather than wrong.
 */
import type { ModelPrice, TierPrice, TokenPrice } from '../core/model-price.js';

/** Returns a price in US dollars per million tokens. */
function usual(
  prompt: number,
  cachedPrompt: number,
  completion: number,
  writtenPrompt?: number,
): TokenPrice {
  const written = writtenPrompt !== undefined && { writtenPrompt };
  return { prompt, cachedPrompt, completion, ...written };
}

/** Returns a price multiplied by a factor for the prompt and one for the completion. */
function times<P extends TokenPrice>(price: P, prompt: number, completion = prompt): P {
  const { writtenPrompt } = price;
  const scaled = usual(
    exact(price.prompt * prompt),
    exact(price.cachedPrompt * prompt),
    exact(price.completion * completion),
    writtenPrompt === undefined ? undefined : exact(writtenPrompt * prompt),
  );
  return { ...price, ...scaled };
}

/** Removes rounding errors of binary fractions. */
function exact(usd: number): number {
  return Number(usd.toPrecision(12));
}

/** Returns a price multiplied by a factor, at every prompt length. */
function share(price: TierPrice, part: number): TierPrice {
  const { longer } = price;
  const scaled = times(price, part);
  return longer ? { ...scaled, longer: longer.map((one) => times(one, part)) } : scaled;
}

/** Adds a price above 272,000 tokens: twice for the prompt and 1.5 times for the completion. */
function withLonger(price: TokenPrice): TierPrice {
  return { ...price, longer: [{ above: 272_000, ...times(price, 2, 1.5) }] };
}

/** Returns the price of OpenAI models that charge 1.25 of the prompt's price for cache writes. */
function writing(prompt: number, cachedPrompt: number, completion: number): ModelPrice {
  const price = withLonger(usual(prompt, cachedPrompt, completion, exact(prompt * 1.25)));
  return { ...atHalf(price), priority: share(price, 2) };
}

/** Adds half prices for flex and batches, with the discount on cached prompts. */
function atHalf(price: TierPrice): ModelPrice {
  return { ...price, flex: share(price, 0.5), batch: share(price, 0.5) };
}

/** Adds half prices for batches, for which listings name no discount on cached prompts. */
function batched(price: TokenPrice): ModelPrice {
  const { prompt, completion } = times(price, 0.5);
  return { ...price, batch: usual(prompt, prompt, completion) };
}

/**
 * Returns the price of an Anthropic model. Cache writes for five minutes cost 1.25 of the prompt's
 * price.
 */
function claude(prompt: number, cachedPrompt: number, completion: number): ModelPrice {
  const price = usual(prompt, cachedPrompt, completion, exact(prompt * 1.25));
  return { ...price, batch: share(price, 0.5) };
}

/** Returns the price of an xAI model: twice as much above 200,000 tokens. */
function grok(prompt: number, cachedPrompt: number, completion: number): TierPrice {
  const price = usual(prompt, cachedPrompt, completion);
  return { ...price, longer: [{ above: 200_000, ...times(price, 2) }] };
}

const gpt62 = withLonger(usual(2, 0.1, 10, 2.5));
const gpt55 = withLonger(usual(5, 0.5, 30));
const gpt54 = withLonger(usual(2.5, 0.25, 15));
const gemini25Pro = usual(1.25, 0.125, 10);

const OPENAI: Readonly<Record<string, ModelPrice>> = {
  'gpt-6.2-sol': { ...gpt62, batch: share(gpt62, 0.5) },
  'gpt-6.1-sol': writing(2, 0.1, 10),
  'gpt-6.1-terra': writing(1, 0.05, 5),
  'gpt-6-astra': writing(10, 1, 50),
  'gpt-6-sol': writing(2, 0.2, 10),
  'gpt-6-luna': writing(0.1, 0.01, 0.5),
  'gpt-5.6': writing(4, 0.4, 20),
  'gpt-5.6-sol': writing(4, 0.4, 20),
  'gpt-5.6-terra': writing(2, 0.2, 12),
  'gpt-5.6-luna': writing(0.2, 0.02, 1.2),
  'gpt-5.5': { ...atHalf(gpt55), priority: usual(12.5, 1.25, 75) },
  'gpt-5.4': { ...atHalf(gpt54), priority: usual(5, 0.5, 30) },
  'gpt-5.4-mini': { ...atHalf(usual(0.75, 0.075, 4.5)), priority: usual(1.5, 0.15, 9) },
  'gpt-5.4-nano': atHalf(usual(0.2, 0.02, 1.25)),
  'gpt-5.3-chat': usual(1.75, 0.175, 14),
  'gpt-5.2': { ...atHalf(usual(1.75, 0.175, 14)), priority: usual(3.5, 0.35, 28) },
  'gpt-5.2-chat': usual(1.75, 0.175, 14),
  'gpt-5.1': { ...atHalf(usual(1.25, 0.125, 10)), priority: usual(2.5, 0.25, 20) },
  'gpt-5.1-chat': usual(1.25, 0.125, 10),
  'gpt-5': { ...atHalf(usual(1.25, 0.125, 10)), priority: usual(2.5, 0.25, 20) },
  'gpt-5-chat': usual(1.25, 0.125, 10),
  'gpt-5-mini': { ...atHalf(usual(0.25, 0.025, 2)), priority: usual(0.45, 0.045, 3.6) },
  'gpt-5-nano': atHalf(usual(0.05, 0.005, 0.4)),
  'gpt-5-pro': batched(usual(15, 15, 120)),
  'gpt-4.1': { ...batched(usual(2, 0.5, 8)), priority: usual(3.5, 0.875, 14) },
  'gpt-4.1-mini': { ...batched(usual(0.4, 0.1, 1.6)), priority: usual(0.7, 0.175, 2.8) },
  'gpt-4.1-nano': { ...batched(usual(0.1, 0.025, 0.4)), priority: usual(0.2, 0.05, 0.8) },
  'gpt-4o': { ...batched(usual(2.5, 1.25, 10)), priority: usual(4.25, 2.125, 17) },
  'gpt-4o-2024-05-13': { ...batched(usual(5, 5, 15)), priority: usual(8.75, 8.75, 26.25) },
  'gpt-4o-mini': { ...batched(usual(0.15, 0.075, 0.6)), priority: usual(0.25, 0.125, 1) },
  o1: batched(usual(15, 7.5, 60)),
  'o1-pro': batched(usual(150, 150, 600)),
  o3: {
    ...batched(usual(2, 0.5, 8)),
    flex: usual(1, 0.25, 4),
    priority: usual(3.5, 0.875, 14),
  },
  'o3-mini': batched(usual(1.1, 0.55, 4.4)),
  'o3-pro': batched(usual(20, 20, 80)),
  'o4-mini': {
    ...batched(usual(1.1, 0.275, 4.4)),
    flex: usual(0.55, 0.138, 2.2),
    priority: usual(2, 0.5, 8),
  },
  'gpt-4-turbo': usual(10, 10, 30),
  'gpt-4-1106-preview': usual(10, 10, 30),
  'gpt-4': usual(30, 30, 60),
  'gpt-4-0613': batched(usual(30, 30, 60)),
  'gpt-3.5-turbo': usual(0.5, 0.5, 1.5),
  'gpt-3.5-turbo-0125': batched(usual(0.5, 0.5, 1.5)),
  'gpt-3.5-turbo-1106': usual(1, 1, 2),
  'gpt-3.5-turbo-instruct': usual(1.5, 1.5, 2),
  'text-embedding-3-small': usual(0.02, 0.02, 0),
  'text-embedding-3-large': usual(0.13, 0.13, 0),
  'text-embedding-ada-002': usual(0.1, 0.1, 0),
};

const OTHERS: Readonly<Record<string, ModelPrice>> = {
  'claude-fable-5-1': claude(10, 0.25, 50),
  'claude-fable-5': claude(10, 1, 50),
  'claude-mythos-5-1': claude(10, 0.25, 50),
  'claude-mythos-5': claude(10, 1, 50),
  'claude-opus-5-5': claude(4, 0.2, 20),
  'claude-opus-5': claude(5, 0.5, 25),
  'claude-opus-4-8': claude(5, 0.5, 25),
  'claude-opus-4-7': claude(5, 0.5, 25),
  'claude-opus-4-6': claude(5, 0.5, 25),
  'claude-opus-4-5': claude(5, 0.5, 25),
  'claude-sonnet-5-5': claude(2, 0.1, 10),
  'claude-sonnet-5': claude(2, 0.2, 10),
  'claude-sonnet-4-6': claude(3, 0.3, 15),
  'claude-sonnet-4-5': claude(3, 0.3, 15),
  'claude-haiku-5-5': {
    ...usual(0.1, 0.01, 0.5, 0.125),
    longer: [{ above: 100_000, ...usual(0.5, 0.05, 2.5, 0.625) }],
    batch: {
      ...usual(0.05, 0.005, 0.25, 0.0625),
      longer: [{ above: 100_000, ...usual(0.25, 0.025, 1.25, 0.3125) }],
    },
  },
  'claude-haiku-4-5': claude(1, 0.1, 5),
  'gemini-4-argon': { ...atHalf(usual(2, 0.1, 10)), priority: usual(3.6, 0.18, 18) },
  'gemini-4-hydrogen': { ...atHalf(usual(1.5, 0.075, 7.5)), priority: usual(2.7, 0.135, 13.5) },
  'gemini-3.8-flash': { ...atHalf(usual(0.75, 0.075, 3.75)), priority: usual(1.35, 0.135, 6.75) },
  'gemini-3.7-flash': { ...atHalf(usual(0.75, 0.075, 3.75)), priority: usual(1.35, 0.135, 6.75) },
  'gemini-3.6-flash': { ...atHalf(usual(0.75, 0.075, 3.75)), priority: usual(1.35, 0.135, 6.75) },
  'gemini-3.5-flash': usual(1.5, 0.15, 9),
  'gemini-3.5-flash-lite': usual(0.3, 0.03, 2.5),
  'gemini-3.1-flash-lite': usual(0.25, 0.025, 1.5),
  'gemini-2.5-pro': { ...gemini25Pro, longer: [{ above: 200_000, ...times(gemini25Pro, 2, 1.5) }] },
  'gemini-2.5-flash': usual(0.3, 0.03, 2.5),
  'gemini-2.5-flash-lite': usual(0.1, 0.01, 0.4),
  'grok-4.7': { ...grok(2, 0.5, 6), batch: share(grok(2, 0.5, 6), 0.8) },
  'grok-4.6': grok(2, 0.5, 6),
  'grok-4.5': grok(2, 0.3, 6),
  'grok-4.3': { ...grok(1.25, 0.2, 2.5), batch: share(grok(1.25, 0.2, 2.5), 0.8) },
};

function asOf(day: string, rows: Readonly<Record<string, ModelPrice>>) {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, { ...row, asOf: day }]),
  );
}

/**
 * Prices of known models in US dollars per million tokens, by model name. A name contains the date
 * of a version only if that version has a price of its own.
 */
export const knownPrices: Readonly<Record<string, ModelPrice>> = asOf('2026-11-27', {
  ...OPENAI,
  ...OTHERS,
});
