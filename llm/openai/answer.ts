/** What the answers of all endpoints have in common: the usage, the model served, an error inside. Pure. */
import { APIError } from 'openai';
import type { TokenUsage } from '../language-model.js';
import { costOf, type PriceTable, priceOf } from '../prices.js';
import type { CallContext } from '../provider-failure.js';
import { classifyError } from './classify-error.js';

/** What decides the cost of a call. */
export interface Pricing {
  prices: PriceTable;
  /** On this machine, where a model that is not in the table costs nothing. */
  isLocal: boolean;
}

export type Fields = Record<string, unknown>;

/** The fields of an object; none of anything else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/**
 * The fields of an answer with status 200.
 *
 * @throws Failure that an error sent with status 200 stands for.
 */
export function readAnswer(body: unknown, context: CallContext): Fields {
  const answer = fields(body);
  // Routers in front of several providers send errors with status 200.
  if (answer.error) throw errorInside(answer, context);
  return answer;
}

/** The model that served an answer, the tokens it took and what they cost. */
export function readBill(
  answer: Fields,
  context: CallContext,
  pricing: Pricing,
): { usage: TokenUsage; costUsd: number | null; servedModel: string } {
  const servedModel =
    typeof answer.model === 'string' && answer.model ? answer.model : context.model;
  const usage = readUsage(answer.usage);
  return {
    usage: usage ?? { promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 },
    costUsd: cost(usage, [servedModel, context.model], pricing),
    servedModel,
  };
}

/** Token counts; undefined when the answer has none. */
function readUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = fields(value);
  const promptTokens = count(usage.prompt_tokens);
  const cached = fields(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
  return {
    promptTokens,
    cachedPromptTokens: Math.min(count(cached), promptTokens),
    completionTokens: count(usage.completion_tokens),
  };
}

/** The served name is the more exact one: an alias can move between versions of different price. */
function cost(
  usage: TokenUsage | undefined,
  models: readonly string[],
  { prices, isLocal }: Pricing,
): number | null {
  const price = models.map((model) => priceOf(model, prices)).find((found) => found !== undefined);
  if (!price) return isLocal ? 0 : null;
  return usage ? costOf(usage, price) : null;
}

function errorInside(answer: Fields, context: CallContext): Error {
  const code = Number(fields(answer.error).code);
  const status = code >= 400 && code < 600 ? code : 500;
  return classifyError(APIError.generate(status, answer, undefined, new Headers()), context);
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
