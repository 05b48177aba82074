/** What calls cost: a table the user can extend, and the sum over it. */
import { z } from 'zod';
import type { CallTokens } from '../core/estimate.js';
import { Failure, messageOf } from '../core/failure.js';
import {
  type ModelPrice,
  PRICED_TIERS,
  type PricedTier,
  type TierPrice,
  type TokenPrice,
} from '../core/model-price.js';
import { checkAgainst } from '../core/options/checked.js';
import { type Problem, told } from '../core/options/problems.js';
import { readTextFile } from '../stores/text-file.js';
import { knownPrices } from './known-prices.js';
import type { Paid, ServedTier, TokenUsage } from './language-model.js';
import type { ToldUsage } from './read-usage.js';

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

function withCached<P extends { prompt: number; cachedPrompt?: number | undefined }>(price: P) {
  return { ...price, cachedPrompt: price.cachedPrompt ?? price.prompt };
}

/**
 * Returns the known prices, with those of a JSON file on top.
 *
 * The file maps a model's name to US dollars per million tokens; `cachedPrompt` and `writtenPrompt`
 * may be left out and are then `prompt`:
 * `{ "my-model": { "prompt": 0.5, "cachedPrompt": 0.1, "completion": 1.5 } }`. Beside them `longer`
 * lists the same for prompts `above` a number of tokens, `flex`, `batch` and `priority` hold all of it
 * for calls at that tier, and `asOf` says on which day it was true.
 *
 * @param file The value of DURABLE_RAG_PRICES, if set.
 * @param own By model, on top of both.
 * @throws Failure BadInput that names the file and the field.
 */
export async function loadPrices(
  file?: string,
  own?: Readonly<Record<string, ModelPrice>>,
): Promise<PriceTable> {
  const fromFile = file ? await readPriceFile(file) : {};
  const given = checkAgainst(priceTable, own ?? {}, ['prices']);
  if (given.problems) throw wrongFields('The option prices', given.problems);
  return new Map(Object.entries({ ...knownPrices, ...fromFile, ...given.data }));
}

/**
 * Returns the price of a model, or undefined when the table does not know it.
 *
 * A dated name ("gpt-4o-mini-2024-07-18") is priced as its family. Nothing but a date may follow the
 * family's name: "gpt-4o-audio-preview" is another product.
 */
export function priceOf(model: string, prices: PriceTable): ModelPrice | undefined {
  const family = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
  return prices.get(model) ?? prices.get(family);
}

/**
 * Returns the price at a tier; the usual one if the model has no other. Undefined for `priority`
 * without a price of its own: it costs more than the usual tier.
 */
export function priceAt(price: ModelPrice, tier: PricedTier | undefined): TierPrice | undefined {
  if (tier === undefined) return price;
  return price[tier] ?? (tier === 'priority' ? undefined : price);
}

/** Returns the price of a request by the length of its prompt in tokens. */
export function priceFor(price: TierPrice, promptTokens: number): TokenPrice {
  const fitting = (price.longer ?? []).filter(({ above }) => promptTokens > above);
  return fitting.sort((a, b) => b.above - a.above)[0] ?? price;
}

/**
 * Returns what a million tokens of a model cost at most, in US dollars: all of a prompt may be
 * written into the provider's cache. Undefined where the price is not known.
 *
 * @param promptTokens Of the request, by which some models are priced.
 */
export function mostPerMillion(
  model: string,
  { prices, isLocal }: Pricing,
  tier: PricedTier | undefined,
  promptTokens: number,
): CallTokens | undefined {
  const price = priceOf(model, prices);
  if (!price) return isLocal ? { prompt: 0, completion: 0 } : undefined;
  const atTier = priceAt(price, tier);
  if (!atTier) return undefined;
  const { prompt, writtenPrompt = prompt, completion } = priceFor(atTier, promptTokens);
  return { prompt: Math.max(prompt, writtenPrompt), completion };
}

/** Returns the cost of one call in US dollars. */
export function costOf(usage: TokenUsage, tier: TierPrice): number {
  const { promptTokens, cachedPromptTokens, writtenPromptTokens = 0, completionTokens } = usage;
  const price = priceFor(tier, promptTokens);
  const perMillion =
    (promptTokens - cachedPromptTokens - writtenPromptTokens) * price.prompt +
    cachedPromptTokens * price.cachedPrompt +
    writtenPromptTokens * (price.writtenPrompt ?? price.prompt) +
    completionTokens * price.completion;
  // Impossible counts are counted too: their cost stays a number.
  return Math.min(perMillion / 1_000_000, Number.MAX_VALUE);
}

export interface Pricing {
  prices: PriceTable;
  /** On this machine: a model that is not in the table is assumed to be free. */
  isLocal: boolean;
}

/**
 * Returns the cost of one call in US dollars; null where it cannot be known.
 *
 * @param models The served name first, which is the more exact one: an alias can move between
 *   versions of different price.
 * @param tier That served it; the usual one when left out.
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

/** The service tier of a call. */
export interface CallTier {
  /** As the provider names it, if it does. */
  served: string | undefined;
  /** Another tier than the usual; "refused" if the provider does not take one. */
  asked: PricedTier | 'refused' | undefined;
}

/**
 * Returns what a call took, and the tier that served it if that is another one than the usual.
 *
 * A cost that the provider states goes before the price table, and is said to be stated.
 *
 * @param models As for `costOfCall`.
 */
export function billOf(
  { usage, statedUsd }: Pick<ToldUsage, 'statedUsd' | 'usage'>,
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

async function readPriceFile(file: string): Promise<Record<string, ModelPrice>> {
  const named = `DURABLE_RAG_PRICES: the price file ${file}`;
  const wrong = (what: string) => new Failure('BadInput', `${named} ${what}`);
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw wrong(`cannot be read (${error.code ?? error.message}).`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON: ${messageOf(error)}`);
  }
  const parsed = checkAgainst(priceTable, content);
  if (parsed.problems) throw wrongFields(named, parsed.problems);
  return parsed.data;
}

function wrongFields(of: string, problems: readonly Problem[]): Failure {
  const said = `${of} has wrong fields: ${told(problems)}.`;
  return new Failure('BadInput', `${said} Prices are US dollars per million tokens.`);
}
