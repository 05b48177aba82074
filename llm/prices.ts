/** Costs of calls: an extensible price table, and the computation. */
import { z } from 'zod';
import type { Price } from '../core/estimate.js';
import {
  type ModelPrice,
  PRICED_TIERS,
  type PricedTier,
  type TierPrice,
  type TokenPrice,
} from '../core/model-price.js';
import { readSettingTable } from '../stores/setting-file.js';
import { knownPrices } from './known-prices.js';
import type { Paid, ServedTier, TokenUsage } from './language-model.js';
import type { ReportedUsage } from './read-usage.js';

/** Prices of models in US dollars per million tokens, by the name of the model. */
export type PriceTable = ReadonlyMap<string, ModelPrice>;

const amount = z.number().nonnegative();
const tokenFields = {
  prompt: amount,
  cachedPrompt: amount.optional(),
  writtenPrompt: amount.optional(),
  completion: amount,
};
const longer = z
  .strictObject({ above: z.number().positive(), ...tokenFields })
  .transform(withCached);
const tierFields = { ...tokenFields, longer: z.array(longer).optional() };
const tierPrice = z.strictObject(tierFields).transform(withCached);
const modelPrice = z
  .strictObject({
    ...tierFields,
    flex: tierPrice.optional(),
    batch: tierPrice.optional(),
    priority: tierPrice.optional(),
    asOf: z.iso.date().optional(),
  })
  .transform(withCached);
const priceTable: z.ZodType<Record<string, ModelPrice>> = z.record(z.string().min(1), modelPrice);

const TABLE = {
  setting: 'DURABLE_RAG_PRICES',
  option: 'prices',
  of: 'price',
  units: 'Prices are US dollars per million tokens.',
} as const;

function withCached<P extends { prompt: number; cachedPrompt?: number | undefined }>(price: P) {
  return { ...price, cachedPrompt: price.cachedPrompt ?? price.prompt };
}

/**
 * Returns the known prices, overridden by those of a JSON file.
 *
 * The file maps a model's name to US dollars per million tokens. `cachedPrompt` and `writtenPrompt`
 * default to `prompt`: `{ "my-model": { "prompt": 0.5, "cachedPrompt": 0.1, "completion": 1.5 } }`.
 * `longer` lists the same for prompts `above` a number of tokens. `flex`, `batch` and `priority`
 * contain all of it for calls at that tier. `asOf` is the day on which it was true.
 *
 * @param file The value of DURABLE_RAG_PRICES, if set.
 * @param own Prices by model that override both.
 * @throws Failure BadInput that names the file or the option, and the field.
 */
export async function loadPrices(
  file?: string,
  own?: Readonly<Record<string, ModelPrice>>,
): Promise<PriceTable> {
  const given = await readSettingTable(TABLE, priceTable, file, own);
  return new Map(Object.entries({ ...knownPrices, ...given }));
}

/**
 * Returns the price of a model; undefined if the table does not have it.
 *
 * A name with a date or "-latest" at its end ("gpt-4o-mini-2024-07-18") has the price of its
 * family, unless the table has one for that name. Nothing else may follow the family's name:
 * "gpt-4o-audio-preview" is another product.
 */
export function priceOf(model: string, prices: PriceTable): ModelPrice | undefined {
  const family = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
  return prices.get(model) ?? prices.get(family);
}

/**
 * Returns a model's price at a service tier; if the table has none for that tier, its usual price.
 * Undefined for `priority` without a price of its own, since that tier costs more than the usual
 * one.
 */
export function priceAt(price: ModelPrice, tier: PricedTier | undefined): TierPrice | undefined {
  if (tier === undefined) return price;
  return price[tier] ?? (tier === 'priority' ? undefined : price);
}

/** Returns the price of a request, which may depend on its prompt's tokens. */
function priceFor(price: TierPrice, promptTokens: number): TokenPrice {
  const fitting = (price.longer ?? []).filter(({ above }) => promptTokens > above);
  return fitting.sort((a, b) => b.above - a.above)[0] ?? price;
}

/**
 * Returns the highest price of a call's prompt tokens and that of its completion tokens, both in
 * US dollars per million tokens: as if the whole prompt were written into the provider's cache.
 * Both are 0 for a local model without a price; undefined if the price is unknown.
 *
 * @param promptTokens Tokens of the prompt, on which some prices depend.
 */
export function highestPrices(
  model: string,
  { prices, isLocal }: Pricing,
  tier: PricedTier | undefined,
  promptTokens: number,
): Price | undefined {
  const price = priceOf(model, prices);
  if (!price) return isLocal ? { prompt: 0, completion: 0 } : undefined;
  const atTier = priceAt(price, tier);
  if (!atTier) return undefined;
  const { prompt, writtenPrompt = prompt, completion } = priceFor(atTier, promptTokens);
  return { prompt: Math.max(prompt, writtenPrompt), completion };
}

/** Returns the cost of one call's tokens at a price, in US dollars. */
export function costOf(usage: TokenUsage, tier: TierPrice): number {
  const { promptTokens, cachedPromptTokens, writtenPromptTokens = 0, completionTokens } = usage;
  const price = priceFor(tier, promptTokens);
  const perMillion =
    (promptTokens - cachedPromptTokens - writtenPromptTokens) * price.prompt +
    cachedPromptTokens * price.cachedPrompt +
    writtenPromptTokens * (price.writtenPrompt ?? price.prompt) +
    completionTokens * price.completion;
  // Impossible counts are priced too, but the cost stays a finite number.
  return Math.min(perMillion / 1_000_000, Number.MAX_VALUE);
}

/** The price table, and whether the endpoint is local: together they decide the cost of a call. */
export interface Pricing {
  prices: PriceTable;
  /** Whether the endpoint is on this machine, where a model without a price counts as free. */
  isLocal: boolean;
}

/**
 * Returns the cost of one call, in US dollars: 0 for a local model without a price, null if the
 * usage or the price is unknown.
 *
 * @param models Model names; the first with a price counts. The served model comes first, since an
 * alias can move between versions of different price.
 * @param tier The served tier; the usual one if left out.
 */
export function costOfCall(
  usage: TokenUsage | null,
  models: readonly string[],
  { prices, isLocal }: Pricing,
  tier?: PricedTier,
): number | null {
  const price = models.map((model) => priceOf(model, prices)).find((found) => found !== undefined);
  if (!price) return isLocal ? 0 : null;
  const atTier = priceAt(price, tier);
  return usage && atTier ? costOf(usage, atTier) : null;
}

/** The service tier of a call: requested and served. */
interface CallTier {
  /** The provider's name of the served tier; undefined if it names none. */
  served: string | undefined;
  /** The tier asked for, if not the usual one; "refused" if the provider does not accept it. */
  asked: PricedTier | 'refused' | undefined;
}

/**
 * Returns the `usage` and the cost in US dollars (`costUsd`, null if unknown) of a call, and
 * `tier`, the served tier, if another tier than the usual one was requested or served. A cost that
 * the provider reported is used before the price table, and is marked by `isStated`.
 *
 * @param models Model names, as for `costOfCall`.
 */
export function billOf(
  { usage, statedUsd }: Pick<ReportedUsage, 'statedUsd' | 'usage'>,
  models: readonly string[],
  pricing: Pricing,
  { served, asked }: CallTier,
): Paid & { tier?: ServedTier } {
  const priced = PRICED_TIERS.find((tier) => tier === served);
  const standardUsd = costOfCall(usage, models, pricing);
  const costUsd = statedUsd ?? costOfCall(usage, models, pricing, priced);
  const paid = { usage, costUsd, ...(statedUsd !== undefined && { isStated: true as const }) };
  if (asked === undefined && priced === undefined) return paid;
  const name = asked === 'refused' ? asked : (served ?? 'unsaid');
  return { ...paid, tier: { served: name, standardUsd } };
}
