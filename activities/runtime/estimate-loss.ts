/** What an attempt without an answer may cost: the provider can bill it, and tells nothing. */

import { tokensOf } from '../../core/estimate.js';
import { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import type { Estimated } from '../../core/usage.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import { isLocalProvider } from '../../llm/openai/endpoint.js';
import { mostPerMillion, type PriceTable } from '../../llm/prices.js';
import type { TokenEstimates } from '../../llm/rates/token-estimates.js';

interface Model {
  provider: string;
  model: string;
}

/**
 * Returns the most that an attempt can cost: its whole prompt, and an answer as long as it may be.
 *
 * @param tier That serves it; the usual one when left out.
 */
export function estimateLoss(
  request: CompletionRequest,
  estimates: TokenEstimates,
  { provider, prices, tier }: { provider: string; prices: PriceTable; tier?: PricedTier },
): Estimated {
  const { model, maxTokens } = request;
  return lossOf(estimates.prompt(request), maxTokens, { provider, model }, prices, tier);
}

/** The same of a request that has texts embedded or scored: nothing is written for it. */
export function estimateTextLoss(
  texts: readonly string[],
  model: Model,
  prices: PriceTable,
): Estimated {
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return lossOf(tokens, 0, model, prices);
}

function lossOf(
  promptTokens: number,
  completionTokens: number,
  { provider, model }: Model,
  prices: PriceTable,
  tier?: PricedTier,
): Estimated {
  const pricing = { prices, isLocal: isLocalProvider(provider) };
  const price = mostPerMillion(model, pricing, tier, promptTokens);
  const millionths = price && promptTokens * price.prompt + completionTokens * price.completion;
  const costUsd = millionths === undefined ? null : millionths / 1_000_000;
  return { attempts: 1, repeated: 0, promptTokens, completionTokens, costUsd };
}

/** The connection was never there. */
const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Tells whether the provider may bill a request that ended so. */
export function mayBeBilled(error: unknown): boolean {
  // What is no failure is the end of our own waiting.
  if (!(error instanceof Failure)) return true;
  return error.billed && !isUnsent(error);
}

/** Returns what a request took that failed though an answer came, if that says so. */
export function spentOf(error: unknown): Estimated | undefined {
  return error instanceof Failure ? error.spent : undefined;
}

function isUnsent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && UNSENT.has(inner.code)) return true;
  }
  return false;
}
