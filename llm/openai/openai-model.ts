/** The language-model port on the `openai` package: chat completions of any compatible endpoint. */
import type { BatchingModel } from '../batch-endpoint.js';
import type { PriceTable } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { withTimeout } from '../with-timeout.js';
import { classifyError, providerAnswer } from './classify-error.js';
import { type ClientOptions, createClient } from './client.js';
import { createOpenAiBatches } from './openai-batches.js';
import {
  DEFAULT_REASONING_ALLOWANCE,
  type Refusable,
  refusedFromTheStart,
  refusedParameter,
  toBody,
} from './parameters.js';
import { readCompletion } from './read-completion.js';

export interface OpenAiModelOptions extends ClientOptions {
  /** A Retry-After longer than this becomes this. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
  /** Tokens on top of `maxTokens` for the hidden thoughts of reasoning models. @default 8192 */
  reasoningAllowance?: number;
}

/**
 * A language model behind a chat completions endpoint. Each `complete` is exactly one HTTP request.
 * Its batches are those of the same endpoint, where that has any.
 *
 * @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key.
 * @example
 * const llm = createOpenAiModel({ apiKey, timeoutMs: 120_000, prices: await loadPrices() });
 */
export function createOpenAiModel(options: OpenAiModelOptions): BatchingModel {
  const { timeoutMs, prices, maxRetryAfterMs = 60_000 } = options;
  const reasoningAllowance = options.reasoningAllowance ?? DEFAULT_REASONING_ALLOWANCE;
  const connected = createClient(options, 'chat');
  const { client, endpoint, secrets } = connected;
  const refusedBy = new Map<string, Set<Refusable>>();

  /** What this model refuses, as far as known; grows with what the server tells. */
  function refused(model: string): Set<Refusable> {
    const known = refusedBy.get(model) ?? new Set(refusedFromTheStart(model, endpoint.isOpenAi));
    refusedBy.set(model, known);
    return known;
  }

  return {
    provider: endpoint.provider,
    batches: createOpenAiBatches(connected, { prices, maxRetryAfterMs, reasoningAllowance }),
    async complete(request, signal) {
      const context: CallContext = {
        model: request.model,
        provider: endpoint.provider,
        timeoutMs,
        maxRetryAfterMs,
        secrets,
        now: Date.now(),
      };
      const body = toBody(request, refused(request.model), reasoningAllowance);
      try {
        const answer = await withTimeout(timeoutMs, signal, (both) =>
          client.chat.completions.create(body, { signal: both }),
        );
        const asked = request.tier && (body.service_tier ?? 'refused');
        return readCompletion(answer, context, { prices, isLocal: endpoint.isLocal }, asked);
      } catch (error) {
        // A cancel is not a failure of the provider: what asked for it must see its own reason.
        signal.throwIfAborted();
        const answer = providerAnswer(error);
        const parameter = answer && refusedParameter(answer, body);
        if (!parameter) throw classifyError(error, { ...context, now: Date.now() });
        refused(request.model).add(parameter);
        throw failure('ParameterRefused', context, {
          status: answer.status,
          said: answer.message,
          retryAfterMs: 0,
        });
      }
    },
  };
}
