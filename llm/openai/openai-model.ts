/**
 * The language-model interface on the `openai` package: chat completions of any compatible
 * endpoint.
 */
import type { ModelPrice } from '../../core/model-price.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import type { BatchingModel } from '../batch-endpoint.js';
import { knownPrices } from '../known-prices.js';
import { ModelHabits } from '../model-habits.js';
import {
  knownRefusals,
  readCompletion,
  toBody,
  unsupportedOf,
  withUnsupported,
} from './chat-completion.js';
import { createEndpointClient, type EndpointOptions } from './client.js';
import { createOpenAiBatches } from './openai-batches.js';

/** Options of a language model and of the connection to its endpoint. */
export interface OpenAiModelOptions extends EndpointOptions {
  /**
   * Tokens in addition to `maxTokens` that every model may spend on thinking before it answers.
   * @default 8192 for models known to think, and for others from the first reply that shows it
   */
  reasoningAllowance?: number | undefined;
}

/**
 * Returns a language model behind a chat completions endpoint. Each `complete` is exactly one HTTP
 * request. `batches` are those of the same endpoint; they fail if it has none.
 *
 * @throws Failure BadInput if the base URL cannot be read; Authentication if there is neither a key
 * nor a base URL.
 * @example
 * const llm = createOpenAiModel({ apiKey, timeoutMs: 120_000, prices: await loadPrices() });
 */
export function createOpenAiModel(options: OpenAiModelOptions): BatchingModel {
  const connected = createEndpointClient(options, 'chat');
  const { client, endpoint, ask, contextOf } = connected;
  const habits = new ModelHabits({
    reasoningAllowance: options.reasoningAllowance,
    knownRefusals: (model) => knownRefusals(model, endpoint.isOpenAi),
  });

  return {
    provider: endpoint.provider,
    batches: createOpenAiBatches(connected, habits),
    async complete(request, signal) {
      const { model } = request;
      refuseSecrets(request, contextOf(model).secrets);
      const refused = habits.refused(model);
      const limit = habits.limit(request);
      const body = toBody(request, refused, limit.tokens);
      const tier = request.tier && (body.service_tier ?? 'refused');
      return ask(
        model,
        signal,
        (both) => client.chat.completions.create(body, { signal: both }),
        (answer, context, pricing) => {
          const completion = readCompletion(answer, context, pricing, tier);
          return withUnsupported(
            habits.observe(model, completion),
            unsupportedOf(request, refused),
          );
        },
        { sent: body, limit },
      ).catch((error: unknown) => {
        habits.learnRefusal(model, error);
        throw error;
      });
    },
  };
}

/** Options of `openAiModel`: those of `createOpenAiModel`, with defaults for prices and timeout. */
export interface OpenAiEndpointOptions extends Omit<OpenAiModelOptions, 'prices' | 'timeoutMs'> {
  /** Prices by the name of the model, which override those of the price table. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /**
   * Longest time until the whole answer must be there, in milliseconds. @default an hour: a
   * question's limit is shorter
   */
  timeoutMs?: number;
}

const LONGEST_CALL_MS = 3_600_000;

/**
 * Returns a language model behind an OpenAI-compatible endpoint, with settings that OPENAI_BASE_URL
 * cannot express: headers of a gateway, or the query that Azure requires. Reads no environment
 * variable. Each `complete` is exactly one request.
 *
 * @throws Failure BadInput if the base URL cannot be read; Authentication if there is neither a key
 * nor a base URL.
 * @example
 * const model = openAiModel({ baseUrl: 'https://gateway.example/v1', headers: { 'x-team': 'qa' }
 * });
 */
export function openAiModel({
  prices,
  timeoutMs = LONGEST_CALL_MS,
  ...options
}: OpenAiEndpointOptions): BatchingModel {
  const table = new Map(Object.entries({ ...knownPrices, ...prices }));
  return createOpenAiModel({ ...options, timeoutMs, prices: table });
}
