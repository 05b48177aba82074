import type { ModelPrice } from '../../core/model-price.js';
import type { BatchingModel } from '../batch-endpoint.js';
import { knownPrices } from '../known-prices.js';
import { createOpenAiModel, type OpenAiModelOptions } from './openai-model.js';

export interface OpenAiEndpointOptions extends Omit<OpenAiModelOptions, 'prices' | 'timeoutMs'> {
  /** By model, on top of the price table. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /** Milliseconds until the whole answer must be there. @default an hour: a question's limit is shorter */
  timeoutMs?: number;
}

const LONGEST_CALL_MS = 3_600_000;

/**
 * Returns the language model that OPENAI_BASE_URL configures, for what the environment cannot say:
 * headers of a gateway, the query that Azure wants. Each `complete` is exactly one request.
 *
 * @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key.
 * @example
 * const model = openAiModel({ baseUrl: 'https://gateway.example/v1', headers: { 'x-team': 'qa' } });
 */
export function openAiModel({
  prices,
  timeoutMs = LONGEST_CALL_MS,
  ...options
}: OpenAiEndpointOptions): BatchingModel {
  const table = new Map(Object.entries({ ...knownPrices, ...prices }));
  return createOpenAiModel({ ...options, timeoutMs, prices: table });
}
