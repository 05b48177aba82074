/** What calls cost: a table the user can extend, and the sum over it. */
import { z } from 'zod';
import { Failure, messageOf } from '../core/failure.js';
import type { ModelPrice, PricedTier, TierPrice } from '../core/model-price.js';
import { checkAgainst } from '../core/options/checked.js';
import { type Problem, told } from '../core/options/problems.js';
import { readTextFile } from '../stores/text-file.js';
import { knownPrices } from './known-prices.js';
import type { ServedTier, TokenUsage } from './language-model.js';

export type PriceTable = ReadonlyMap<string, ModelPrice>;

const amount = z.number().nonnegative();
const tierFields = { prompt: amount, cachedPrompt: amount.optional(), completion: amount };
const tierPrice = z.strictObject(tierFields).transform(withCached);
const modelPrice = z
  .strictObject({ ...tierFields, flex: tierPrice.optional(), batch: tierPrice.optional() })
  .transform(withCached);
const priceTable: z.ZodType<Record<string, ModelPrice>> = z.record(z.string().min(1), modelPrice);

function withCached<P extends { prompt: number; cachedPrompt?: number | undefined }>(price: P) {
  return { ...price, cachedPrompt: price.cachedPrompt ?? price.prompt };
}

/**
 * Returns the known prices, with those of a JSON file on top.
 *
 * The file maps a model's name to US dollars per million tokens; `cachedPrompt` may be left out and
 * is then `prompt`: `{ "my-model": { "prompt": 0.5, "cachedPrompt": 0.1, "completion": 1.5 } }`. Beside
 * them `flex` and `batch` hold the same three for calls at that tier.
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

/** Returns the price at a tier: the usual one where the model has no other. */
export function priceAt(price: ModelPrice, tier: PricedTier | undefined): TierPrice {
  return (tier && price[tier]) ?? price;
}

/** Returns the cost of one call in US dollars. */
export function costOf(usage: TokenUsage, price: TierPrice): number {
  const fresh = usage.promptTokens - usage.cachedPromptTokens;
  const perMillion =
    fresh * price.prompt +
    usage.cachedPromptTokens * price.cachedPrompt +
    usage.completionTokens * price.completion;
  // Impossible counts are counted too: their cost stays a number.
  return Math.min(perMillion / 1_000_000, Number.MAX_VALUE);
}

export interface Pricing {
  prices: PriceTable;
  /** On this machine, where a model that is not in the table costs nothing. */
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
  usage: TokenUsage | undefined,
  models: readonly string[],
  { prices, isLocal }: Pricing,
  tier?: PricedTier,
): number | null {
  const price = models.map((model) => priceOf(model, prices)).find((found) => found !== undefined);
  if (!price) return isLocal ? 0 : null;
  return usage ? costOf(usage, priceAt(price, tier)) : null;
}

/**
 * Returns what a call costs at the tier that served it.
 *
 * @param served As the provider names it, if it does.
 * @param asked Another tier than the usual; "refused" where the provider does not take one.
 */
export function billAt(
  served: string | undefined,
  asked: PricedTier | 'refused' | undefined,
  costAt: (tier?: PricedTier) => number | null,
): { costUsd: number | null; tier?: ServedTier } {
  const standardUsd = costAt();
  if (asked === undefined && served !== 'flex') return { costUsd: standardUsd };
  const priced = served === 'flex' || served === 'batch' ? served : undefined;
  const name = asked === 'refused' ? asked : (served ?? 'unsaid');
  return { costUsd: costAt(priced), tier: { served: name, standardUsd } };
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
