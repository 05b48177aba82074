/** The HTTP client of an endpoint: one request for each call, no settings from the environment. */
import OpenAI from 'openai';
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { parseJson } from '../../core/canonical-json.js';
import { Failure } from '../../core/failure.js';
import { boundedFetch } from '../bounded-fetch.js';
import type { SentRequest } from '../error-table.js';
import type { PriceTable, Pricing } from '../prices.js';
import type { CallContext } from '../provider-failure.js';
import { withTimeout } from '../with-timeout.js';
import { classifyError } from './classify-error.js';
import { ENDPOINT_VARIABLES, isLocalProvider, type Purpose, readEndpoint } from './endpoint.js';

/** Options of the connection to an endpoint: URL, key, headers, timeout and prices. */
export interface EndpointOptions {
  /** API key; may be left out for a server that needs none, but is required without `baseUrl`. */
  apiKey?: string | undefined;
  /** URL of a compatible endpoint, with or without the route at its end. @default OpenAI's own */
  baseUrl?: string | undefined;
  /**
   * Headers of every request, added to the client's or replacing them; their values count as
   * secrets.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Query of every request, added to that of `baseUrl`; its values count as secrets. */
  query?: Readonly<Record<string, string>> | undefined;
  /**
   * Identifies the endpoint in cache keys, manifests and messages. Use another one if headers or
   * query decide who answers. @default origin and path of `baseUrl`
   */
  provider?: string | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  /** Longest time until the whole answer must be there, in milliseconds. */
  timeoutMs: number;
  /** Longest Retry-After, in milliseconds; longer ones are shortened to it. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
  /** A custom fetch, which has its own limits: Node's ends after 300 s without a byte. */
  fetch?: typeof fetch;
}

/**
 * The HTTP client of an endpoint with its address, prices and a function for one request, as
 * `createEndpointClient` returns it.
 */
export type EndpointClient = ReturnType<typeof createEndpointClient>;

/**
 * Returns the HTTP `client` of an endpoint, its address as `endpoint`, its prices as `pricing`,
 * and `ask`, which makes one request with a timeout. Makes no request itself.
 *
 * @throws Failure BadInput if the base URL cannot be read; Authentication if there is neither a
 * key nor a base URL.
 */
export function createEndpointClient(options: EndpointOptions, purpose: Purpose) {
  const { apiKey, headers = {}, query = {} } = options;
  const read = readEndpoint(options.baseUrl, purpose);
  const endpoint = { ...read, provider: options.provider ?? read.provider };
  if (!apiKey && !endpoint.baseUrl) {
    const { key, baseUrl } = ENDPOINT_VARIABLES[purpose];
    throw new Failure(
      'Authentication',
      `There is no key for OpenAI. Set ${key}, or ${baseUrl} to a server that asks for none.`,
    );
  }
  // The timeouts of the client and of fetch end at the headers, or apply between two bytes. Ours
  // lasts until the end of the body, so the others must be longer.
  const untilOurs = options.timeoutMs + 60_000;
  const client = new OpenAI({
    // The client reads the environment for each missing option, and would send those secrets to
    // baseUrl. So every option is given, if only as null.
    apiKey: apiKey || 'none',
    adminAPIKey: null,
    organization: options.organization ?? null,
    project: options.project ?? null,
    baseURL: endpoint.baseUrl ?? 'https://api.openai.com/v1',
    defaultQuery: { ...endpoint.query, ...query },
    defaultHeaders: {
      ...(apiKey ? {} : { Authorization: endpoint.basicAuth ?? null }),
      ...headers,
    },
    fetch: withReadableErrors(boundedFetch(options.fetch ?? patientFetch(untilOurs))),
    maxRetries: 0,
    timeout: untilOurs,
  });
  // Values that must not appear in any text.
  const secrets = [
    apiKey ?? '',
    endpoint.basicAuth ?? '',
    ...endpoint.secrets,
    ...Object.values(headers),
    ...Object.values(query),
  ];
  const isLocal = isLocalProvider(endpoint.provider);
  const pricing: Pricing = { prices: options.prices, isLocal };
  /** Returns the context of a call, from which its failures are made. */
  const contextOf = (
    model: string,
    { timeoutMs = options.timeoutMs, asked }: Pick<CallContext, 'asked' | 'timeoutMs'> = {},
  ): CallContext => ({
    purpose,
    model,
    provider: endpoint.provider,
    timeoutMs,
    asked,
    secrets,
    now: Date.now(),
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
  });
  return {
    client,
    endpoint,
    pricing,
    contextOf,
    /**
     * Makes one request to a model of the endpoint, and returns what `read` makes of its answer.
     *
     * @param asked The parts of the request that an error may refuse.
     * @throws Failure of the provider or the connection; the signal's reason once it has fired.
     */
    async ask<A, T>(
      model: string,
      signal: AbortSignal,
      call: (signal: AbortSignal) => Promise<A>,
      read: (answer: A, context: CallContext, pricing: Pricing) => T,
      asked?: SentRequest,
    ): Promise<T> {
      try {
        const answer = await withTimeout(options.timeoutMs, signal, call);
        return read(answer, contextOf(model, { asked }), pricing);
      } catch (error) {
        // A cancellation is not a failure of the provider: its reason is rethrown.
        signal.throwIfAborted();
        throw classifyError(error, contextOf(model, { asked }));
      }
    },
  };
}

/**
 * Returns a fetch that waits up to `ms` milliseconds between bytes; Node's ends after 300 s. It
 * uses the process's dispatcher, so that a proxy stays in use.
 */
function patientFetch(ms: number): typeof fetch {
  const limits = { headersTimeout: ms, bodyTimeout: ms };
  const patient: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch({ ...options, ...limits }, handler);
  // The dispatcher is read at each call; fetch supports the option although its types do not.
  return (url, init) =>
    fetch(url, { ...init, dispatcher: getGlobalDispatcher().compose(patient) } as object);
}

type Fetch = typeof fetch;

/**
 * Returns a fetch that wraps the whole body of an error answer in the envelope `{ error }`.
 *
 * The client keeps only the envelope of a JSON error, and the reason would be lost: vLLM and
 * Mistral send the fields without an envelope, FastAPI `{ detail }`, Ollama a string.
 */
function withReadableErrors(inner: Fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.ok || response.body === null) return response;
    const text = await response.text().catch(() => '');
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The length of the text may change.
    headers.delete('content-length');
    return new Response(enveloped(text), { status, statusText, headers });
  };
}

/**
 * Returns the text of an error response's body as the JSON text `{ error: body }`, where the
 * OpenAI client looks for the reason; text that is not JSON is returned unchanged.
 */
export function enveloped(text: string): string {
  const body = parseJson(text);
  return body === undefined ? text : JSON.stringify({ error: body });
}
