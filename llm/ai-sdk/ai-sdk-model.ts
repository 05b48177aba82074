/** The language-model interface on the AI SDK's provider interface. */
import { Failure } from '../../core/failure.js';
import type { ModelPrice } from '../../core/model-price.js';
import { hasFields } from '../../core/step-models.js';
import { spentOf } from '../generation-end.js';
import { knownPrices } from '../known-prices.js';
import type { CompletionRequest, LanguageModel, Message } from '../language-model.js';
import { ModelHabits } from '../model-habits.js';
import {
  type OpenAiParameters,
  parametersToSend,
  unsupportedOf,
  withUnsupported,
} from '../openai/chat-completion.js';
import { isLocalProvider } from '../openai/endpoint.js';
import { type CallContext, failure, failureInside } from '../provider-failure.js';
import { classifyError } from './classify-error.js';
import {
  bodyOf,
  failureInUnreadAnswer,
  ignoredParameters,
  ignoresSchema,
  readResult,
  readResultBill,
  readWarnings,
} from './read-result.js';
import type { AiSdkCall, AiSdkLanguageModel, AiSdkMessage } from './sdk-model.js';

/**
 * Options of `aiSdkModel`: the provider's name in records, prices, the tokens for thinking, the
 * longest wait, secrets and warnings.
 */
export interface AiSdkModelOptions {
  /**
   * Identifies the provider in cache keys, manifests and messages. Use another one for every
   * endpoint, and for settings made on the model itself. @default the model's own
   */
  provider?: string;
  /** Prices by the name of the model, which override those of the price table. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /**
   * Tokens that every model may spend on thinking, in addition to the answer's. @default 8192 for a
   * model that refuses `max_tokens`, and for others from the first reply that shows that it thinks
   */
  reasoningAllowance?: number;
  /** Longest Retry-After that is followed, in milliseconds. @default 60000 */
  maxRetryAfterMs?: number;
  /** Values that must not appear in any text, such as a key without a recognisable form. */
  secrets?: readonly string[];
  /** Called once with each different warning of the provider. @default console.warn */
  warn?(message: string): void;
}

/** A function that returns a model, or a promise of one, by its name, such as an AI SDK provider. */
export type AiSdkModels = (name: string) => AiSdkLanguageModel | PromiseLike<AiSdkLanguageModel>;

const NO_FIELDS = {
  billed: false,
  what: 'A model of the AI SDK takes no fields of your own (extraBody); give them to its provider where it is made',
};

const ADVICE = {
  Authentication: 'Give the provider a valid key where it is made.',
  UnknownModel: 'Check the name of the model, and where the provider sends to.',
  Connection: 'Check that the server runs, and where the provider sends to.',
  AnswerTooLong: 'Check where the provider sends to.',
  Incompatible: 'Give the provider the address of the API itself where it is made.',
  BadInput: 'Install the package of the provider, and give it the settings that it needs.',
} as const;

/**
 * Returns a language model of the AI SDK, for example of Anthropic, Google, Bedrock, Mistral or
 * Ollama. Each `complete` is one `doGenerate`, which is exactly one request.
 *
 * The AI SDK's interface has no log probabilities; steps that ask for them read the text only.
 *
 * @param models One model, which then serves under its own name only; or a function that returns
 * models by name, such as a provider. It may load its package at the first call.
 * @example
 * const model = aiSdkModel(anthropic, { provider: 'anthropic' });
 * const worker = await Worker.create({
 *   taskQueue: 'durable-rag',
 *   plugins: [durableRag({ model, defaultModel: 'claude-haiku-4-5' })],
 * });
 */
export function aiSdkModel(
  models: AiSdkModels,
  options: AiSdkModelOptions & { provider: string },
): LanguageModel;
export function aiSdkModel(model: AiSdkLanguageModel, options?: AiSdkModelOptions): LanguageModel;
export function aiSdkModel(
  models: AiSdkModels | AiSdkLanguageModel,
  options: AiSdkModelOptions = {},
): LanguageModel {
  const { maxRetryAfterMs = 60_000, secrets = [], warn = console.warn } = options;
  const provider = options.provider ?? ('provider' in models ? models.provider : 'ai-sdk');
  const pricing = {
    prices: new Map(Object.entries({ ...knownPrices, ...options.prices })),
    isLocal: isLocalProvider(provider),
  };
  const habits = new ModelHabits(options);
  const warned = new Set<string>();

  function warnOnce(result: unknown, model: string): void {
    for (const warning of readWarnings(result)) {
      const message = `Model "${model}" at ${provider}: ${warning}`;
      if (!warned.has(message)) warn(message);
      warned.add(message);
    }
  }

  return {
    provider,
    async complete(request, signal) {
      signal.throwIfAborted();
      const { model: name } = request;
      // The interface has no setting for log probabilities.
      const refused = new Set([...habits.refused(name), 'logprobs' as const]);
      const parameters = parametersToSend(request, refused);
      const limit = habits.limit(request);
      const sent = { ...parameters, response_format: request.schema };
      const context = (): CallContext => ({
        model: name,
        provider,
        advice: ADVICE,
        maxRetryAfterMs,
        secrets,
        asked: { sent, limit },
        now: Date.now(),
      });
      if (hasFields(request.extraBody)) throw failure('Incompatible', context(), NO_FIELDS);
      try {
        const model = await modelNamed(name, models);
        const call = toCall(request, parameters, limit.tokens, model.provider);
        const result = await model.doGenerate({ ...call, abortSignal: signal });
        const asked = request.tier && (parameters.service_tier ?? 'refused');
        const inside = failureInside(bodyOf(result), context(), {
          isRead: true,
          spent: () => spentOf(readResultBill(result, context(), pricing, asked).paid),
        });
        if (inside) throw inside;
        if (request.schema && ignoresSchema(result)) throw failure('SchemaRefused', context());
        const completion = readResult(result, context(), pricing, asked);
        warnOnce(result, name);
        const ignored = ignoredParameters(result);
        const unsupported = [...unsupportedOf(request, refused), ...ignored];
        return withUnsupported(habits.observe(name, completion), unsupported);
      } catch (error) {
        // A cancellation is not a failure of the provider: its reason is rethrown.
        signal.throwIfAborted();
        const known = failureInUnreadAnswer(error, context()) ?? classifyError(error, context());
        habits.learnRefusal(name, known);
        throw known;
      }
    },
  };
}

/**
 * Returns the model of a name.
 *
 * @throws Failure UnknownModel if `models` is a single model of another name.
 */
async function modelNamed(
  name: string,
  models: AiSdkModels | AiSdkLanguageModel,
): Promise<AiSdkLanguageModel> {
  if (typeof models === 'function') return models(name);
  if (models.modelId === name) return models;
  // Under another name, its answers would be cached and priced as those of another model.
  throw new Failure(
    'UnknownModel',
    `There is no model "${name}": the model passed to aiSdkModel is "${models.modelId}". ` +
      'Use that name, or pass a provider.',
  );
}

/**
 * Returns the request in the AI SDK's format. Parameters without a setting in that format become
 * options under the provider's name, which other providers ignore. OpenAI's provider reads them
 * under `openai`; those of compatible endpoints pass on the options under their own name.
 *
 * @param provider The model's `provider`: "openai.chat".
 */
function toCall(
  { messages, schema }: CompletionRequest,
  { max_tokens, temperature, top_p, seed, stop, reasoning_effort, service_tier }: OpenAiParameters,
  limit: number,
  provider: string,
): Omit<AiSdkCall, 'abortSignal'> {
  const isRenamed = max_tokens === undefined;
  const [name = ''] = provider.split('.');
  const effort = reasoning_effort !== undefined && { reasoningEffort: reasoning_effort };
  const openai = {
    ...effort,
    ...(isRenamed && { maxCompletionTokens: limit }),
    ...(service_tier && { serviceTier: service_tier }),
  };
  const providerOptions = {
    ...((isRenamed || effort) && {
      [name]: { ...effort, ...(isRenamed && { max_completion_tokens: limit }) },
    }),
    ...(Object.keys(openai).length > 0 && { openai }),
  };
  return {
    prompt: messages.map(toMessage),
    ...(isRenamed ? {} : { maxOutputTokens: limit }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(stop && { stopSequences: stop }),
    ...(schema && { responseFormat: { type: 'json', ...schema } }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  };
}

function toMessage({ role, content }: Message): AiSdkMessage {
  return role === 'system'
    ? { role, content }
    : { role, content: [{ type: 'text', text: content }] };
}
