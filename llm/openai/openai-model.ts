/** The language-model port on the `openai` package: chat completions of any compatible endpoint. */
import OpenAI, { APIConnectionTimeoutError } from 'openai';
import { Failure } from '../../methods/failure.js';
import type { LanguageModel } from '../language-model.js';
import type { PriceTable } from '../prices.js';
import { type CallContext, classifyError, failure, providerAnswer } from './classify-error.js';
import { type Endpoint, readEndpoint } from './endpoint.js';
import { withReadableErrors } from './error-body.js';
import {
  DEFAULT_REASONING_ALLOWANCE,
  type Refusable,
  refusedFromTheStart,
  refusedParameter,
  toBody,
} from './parameters.js';
import { readCompletion } from './read-completion.js';

export interface OpenAiModelOptions {
  /** May be left out for a server that asks for none; needed without `baseUrl`. */
  apiKey?: string | undefined;
  /** Any compatible endpoint. @default OpenAI's own */
  baseUrl?: string | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  /**
   * Milliseconds until the whole answer must be there. Node's fetch itself gives up after 300 s
   * without a byte, so more than that only helps servers that begin to answer earlier.
   */
  timeoutMs: number;
  /** A Retry-After longer than this becomes this. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
  /** Tokens on top of `maxTokens` for the hidden thoughts of reasoning models. @default 8192 */
  reasoningAllowance?: number;
  fetch?: typeof fetch;
}

/**
 * A language model behind a chat completions endpoint. Each `complete` is exactly one HTTP request.
 *
 * @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key.
 * @example
 * const llm = createOpenAiModel({ apiKey, timeoutMs: 120_000, prices: await loadPrices() });
 */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { timeoutMs, prices, maxRetryAfterMs = 60_000 } = options;
  const reasoningAllowance = options.reasoningAllowance ?? DEFAULT_REASONING_ALLOWANCE;
  const endpoint = readEndpoint(options.baseUrl);
  const client = createClient(options, endpoint);
  const secrets = [options.apiKey ?? '', endpoint.basicAuth ?? '', ...endpoint.secrets];
  const refusedBy = new Map<string, Set<Refusable>>();

  /** What this model refuses, as far as known; grows with what the server tells. */
  function refused(model: string): Set<Refusable> {
    const known = refusedBy.get(model) ?? new Set(refusedFromTheStart(model, endpoint.isOpenAi));
    refusedBy.set(model, known);
    return known;
  }

  return {
    provider: endpoint.provider,
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
        return readCompletion(answer, context, { prices, isLocal: endpoint.isLocal });
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

function createClient(options: OpenAiModelOptions, endpoint: Endpoint): OpenAI {
  if (!options.apiKey && !endpoint.baseUrl) {
    throw new Failure(
      'Authentication',
      'There is no key for OpenAI. Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that asks for none.',
    );
  }
  const { apiKey } = options;
  return new OpenAI({
    // The client reads the environment for whatever is left out, and would send those secrets to
    // whoever is at baseUrl. So everything is given, if only as null.
    apiKey: apiKey || 'none',
    adminAPIKey: null,
    organization: options.organization ?? null,
    project: options.project ?? null,
    baseURL: endpoint.baseUrl ?? 'https://api.openai.com/v1',
    defaultQuery: endpoint.query,
    defaultHeaders: apiKey ? {} : { Authorization: endpoint.basicAuth ?? null },
    fetch: withReadableErrors(options.fetch ?? fetch),
    maxRetries: 0,
    // Only until the headers; ours below goes on until the end of the body, so it must come first.
    timeout: options.timeoutMs + 60_000,
  });
}

/**
 * Runs a call under a signal that fires with the caller's and after a time.
 *
 * Not `AbortSignal.any`: on Node 20 that keeps every signal made from a long-lived one.
 */
async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, ms);
  signal.addEventListener('abort', forward, { once: true });
  try {
    return await call(controller.signal);
  } catch (error) {
    throw timedOut ? new APIConnectionTimeoutError() : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}
