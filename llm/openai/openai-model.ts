/** The language-model port on the `openai` package: chat completions of any compatible endpoint. */
import type { BatchingModel } from '../batch-endpoint.js';
import { ModelHabits } from '../model-habits.js';
import type { PriceTable } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { withTimeout } from '../with-timeout.js';
import { classifyError, providerAnswer } from './classify-error.js';
import { type ClientOptions, createClient } from './client.js';
import { createOpenAiBatches } from './openai-batches.js';
import { refusedFromTheStart, refusesSchema, toBody } from './parameters.js';
import { readCompletion } from './read-completion.js';

export interface OpenAiModelOptions extends ClientOptions {
  /** A Retry-After longer than this becomes this. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
  /**
   * Tokens on top of `maxTokens` that every model may think with before it answers. @default 8192 for
   * models that are known to think, and for others from the first reply on that shows it
   */
  reasoningAllowance?: number | undefined;
}

/**
 * Returns a language model behind a chat completions endpoint. Each `complete` is exactly one HTTP
 * request. Its batches are those of the same endpoint, where that has any.
 *
 * @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key.
 * @example
 * const llm = createOpenAiModel({ apiKey, timeoutMs: 120_000, prices: await loadPrices() });
 */
export function createOpenAiModel(options: OpenAiModelOptions): BatchingModel {
  const { timeoutMs, prices, maxRetryAfterMs = 60_000 } = options;
  const connected = createClient(options, 'chat');
  const { client, endpoint, secrets } = connected;
  const habits = new ModelHabits({
    reasoningAllowance: options.reasoningAllowance,
    refusedFromTheStart: (model) => refusedFromTheStart(model, endpoint.isOpenAi),
  });

  return {
    provider: endpoint.provider,
    batches: createOpenAiBatches(connected, { prices, maxRetryAfterMs, habits }),
    async complete(request, signal) {
      const context: CallContext = {
        model: request.model,
        provider: endpoint.provider,
        timeoutMs,
        maxRetryAfterMs,
        secrets,
        now: Date.now(),
      };
      const body = toBody(request, habits.refused(request.model), habits.allowance(request));
      try {
        const answer = await withTimeout(timeoutMs, signal, (both) =>
          client.chat.completions.create(body, { signal: both }),
        );
        const asked = request.tier && (body.service_tier ?? 'refused');
        const pricing = { prices, isLocal: endpoint.isLocal };
        return habits.heard(request.model, readCompletion(answer, context, pricing, asked));
      } catch (error) {
        // A cancel is not a failure of the provider: rethrow its reason.
        signal.throwIfAborted();
        const said = providerAnswer(error);
        if (request.schema && said && refusesSchema(said)) {
          const { status, message } = said;
          throw failure('SchemaRefused', context, { status, said: message });
        }
        const refusal = habits.refusal(said, { ...body }, context);
        throw refusal ?? classifyError(error, { ...context, now: Date.now() });
      }
    },
  };
}
