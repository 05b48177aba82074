/**
 * Estimates the cost of an attempt without an answer, which the provider may bill without reporting
 * any usage.
 */

import { tokensOf } from '../../core/estimate.js';
import { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import type { EstimatedUsage } from '../../core/usage.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import { isLocalProvider } from '../../llm/openai/endpoint.js';
import { highestPrices, type PriceTable } from '../../llm/prices.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';

interface Model {
  provider: string;
  model: string;
}

/**
 * Returns the highest cost of an attempt of a model call, in tokens and US dollars: its whole prompt
 * and the longest answer allowed. The cost is null if the price is unknown.
 *
 * @param tier Service tier; the usual one if left out.
 */
export function estimateCallLoss(
  request: CompletionRequest,
  estimates: TokenEstimates,
  { provider, prices, tier }: { provider: string; prices: PriceTable; tier?: PricedTier },
): EstimatedUsage {
  const { model, maxTokens } = request;
  return lossOf(estimates.prompt(request), maxTokens, { provider, model }, prices, tier);
}

/** Returns the highest cost of a request that embeds or scores texts; it has no output tokens. */
export function estimateTextLoss(
  texts: readonly string[],
  model: Model,
  prices: PriceTable,
): EstimatedUsage {
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return lossOf(tokens, 0, model, prices);
}

function lossOf(
  promptTokens: number,
  completionTokens: number,
  { provider, model }: Model,
  prices: PriceTable,
  tier?: PricedTier,
): EstimatedUsage {
  const pricing = { prices, isLocal: isLocalProvider(provider) };
  const price = highestPrices(model, pricing, tier, promptTokens);
  const millionths = price && promptTokens * price.prompt + completionTokens * price.completion;
  const costUsd = millionths === undefined ? null : millionths / 1_000_000;
  return { attempts: 1, repeated: 0, promptTokens, completionTokens, costUsd };
}

/** Error codes of connections that were never made. */
const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Tells whether the provider may bill a request that failed with this error. */
export function mayBeBilled(error: unknown): boolean {
  // Any other error means that we stopped waiting.
  if (!(error instanceof Failure)) return true;
  return error.billed && !isUnsent(error);
}

/** Returns the usage that a failed request reports although it was answered; undefined if none. */
export function reportedLoss(error: unknown): EstimatedUsage | undefined {
  return error instanceof Failure ? error.spent : undefined;
}

function isUnsent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && UNSENT.has(inner.code)) return true;
  }
  return false;
}
