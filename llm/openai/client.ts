/** The HTTP client of an endpoint: one request a call, nothing taken from the environment. */
import OpenAI from 'openai';
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { Failure } from '../../core/failure.js';
import { boundedFetch } from '../bounded-fetch.js';
import type { Asked } from '../error-table.js';
import type { PriceTable, Pricing } from '../prices.js';
import type { CallContext } from '../provider-failure.js';
import { withTimeout } from '../with-timeout.js';
import { classifyError } from './classify-error.js';
import { isLocalProvider, type Purpose, readEndpoint, VARIABLES } from './endpoint.js';
import { withReadableErrors } from './error-body.js';

export interface ClientOptions {
  /** May be left out for a server that asks for none; needed without `baseUrl`. */
  apiKey?: string | undefined;
  /** Any compatible endpoint, with or without the route at its end. @default OpenAI's own */
  baseUrl?: string | undefined;
  /** Sent with every request, beside or in place of ours; their values are taken for secrets. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Put behind the path of every request, on top of the query of `baseUrl`; secrets as well. */
  query?: Readonly<Record<string, string>> | undefined;
  /**
   * Identifies the endpoint in cache keys and manifests, and in messages. Another one for headers or
   * a query that decide who answers. @default origin and path of `baseUrl`
   */
  provider?: string | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  /** Milliseconds until the whole answer must be there. */
  timeoutMs: number;
  /** A Retry-After longer than this becomes this. @default 60000 */
  maxRetryAfterMs?: number;
  prices: PriceTable;
  /** A fetch of your own has limits of its own: Node's ends after 300 s without a byte. */
  fetch?: typeof fetch;
}

export type Client = ReturnType<typeof createClient>;

/** @throws Failure BadInput when the base URL cannot be read, Authentication when there is no key. */
export function createClient(options: ClientOptions, purpose: Purpose) {
  const { apiKey, headers = {}, query = {} } = options;
  const read = readEndpoint(options.baseUrl, purpose);
  const endpoint = { ...read, provider: options.provider ?? read.provider };
  if (!apiKey && !endpoint.baseUrl) {
    const { key, baseUrl } = VARIABLES[purpose];
    throw new Failure(
      'Authentication',
      `There is no key for OpenAI. Set ${key}, or ${baseUrl} to a server that asks for none.`,
    );
  }
  // Timeouts of client and fetch end at the headers, or between two bytes. Ours lasts until the end
  // of the body, so it comes first.
  const untilOurs = options.timeoutMs + 60_000;
  const client = new OpenAI({
    // The client reads the environment for each option left out, and would send those secrets to
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
  /** Returns what messages about a call say. */
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
     * Asks a model of the endpoint once, and reads what it answers.
     *
     * @param asked What an error may refuse of the request.
     * @throws Failure that says what went wrong; the signal's reason once it has fired.
     */
    async ask<A, T>(
      model: string,
      signal: AbortSignal,
      call: (signal: AbortSignal) => Promise<A>,
      read: (answer: A, context: CallContext, pricing: Pricing) => T,
      asked?: Asked,
    ): Promise<T> {
      try {
        const answer = await withTimeout(options.timeoutMs, signal, call);
        return read(answer, contextOf(model, { asked }), pricing);
      } catch (error) {
        // A cancel is not a failure of the provider: rethrow its reason.
        signal.throwIfAborted();
        throw classifyError(error, contextOf(model, { asked }));
      }
    },
  };
}

/**
 * Fetch ends after 300 s without a byte; this one after `ms`. It uses the dispatcher of the
 * process, so a proxy stays in use.
 */
function patientFetch(ms: number): typeof fetch {
  const limits = { headersTimeout: ms, bodyTimeout: ms };
  const patient: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch({ ...options, ...limits }, handler);
  // Of the process at the time of the call, and known to fetch though not to its types.
  return (url, init) =>
    fetch(url, { ...init, dispatcher: getGlobalDispatcher().compose(patient) } as object);
}
