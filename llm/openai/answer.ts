/** What the answers of all endpoints have in common: the usage, the model served, an error inside. Pure. */
import type { PricedTier } from '../../core/model-price.js';
import { type Fields, fields, NO_TOKENS, named, tokenUsage } from '../fields.js';
import type { TokenUsage } from '../language-model.js';
import { costOfCall, type Pricing } from '../prices.js';
import { type CallContext, failureInside } from '../provider-failure.js';

/**
 * Returns the fields of an answer with status 200.
 *
 * @throws Failure that an error sent with status 200 stands for.
 */
export function readAnswer(body: unknown, context: CallContext): Fields {
  const failure = failureInside(body, context);
  if (failure) throw failure;
  return fields(body);
}

/** Returns the model that served an answer, the tokens it took and what they cost. */
export function readBill(answer: Fields, context: CallContext, pricing: Pricing) {
  const servedModel = named(answer.model) ?? context.model;
  const usage = readUsage(answer.usage);
  return {
    servedModel,
    usage: usage ?? NO_TOKENS,
    costAt: (tier?: PricedTier) => costOfCall(usage, [servedModel, context.model], pricing, tier),
  };
}

/** Returns the usage; undefined where the answer does not have it. */
function readUsage(value: unknown): TokenUsage | undefined {
  const usage = fields(value);
  const cached = fields(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
  return tokenUsage(usage.prompt_tokens, usage.completion_tokens, cached);
}
