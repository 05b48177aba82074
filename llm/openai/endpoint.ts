/** Reads the parts of an endpoint's URL, and decides whether it is on this machine. Pure. */
import { Failure } from '../../core/failure.js';
import { ENCODING_ADVICE, serverUrl } from '../../core/server-url.js';

/** The parts of an endpoint's URL. */
interface Endpoint {
  /** 'openai', or origin and path of the base URL; contains no secret. */
  provider: string;
  /** URL for the client, without credentials and query; undefined for OpenAI's own. */
  baseUrl: string | undefined;
  /** Parameters of the URL's query, by name. */
  query: Record<string, string>;
  /** Credentials of the URL as an Authorization header; undefined if it has none. */
  basicAuth: string | undefined;
  /** Whether the URL's host is OpenAI's. */
  isOpenAi: boolean;
  /** Whether it is on this machine, where calls cost nothing. */
  isLocal: boolean;
  /** Parts of the URL that must not be shown. */
  secrets: string[];
}

/**
 * The kind of model behind an endpoint. Each kind has its own environment variables for key and
 * base URL.
 */
export type Purpose = 'chat' | 'embeddings' | 'rerank';

/** Names of the environment variables for key and base URL, by kind of model. */
export const ENDPOINT_VARIABLES: Readonly<Record<Purpose, { key: string; baseUrl: string }>> = {
  chat: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  embeddings: { key: 'OPENAI_EMBEDDING_API_KEY', baseUrl: 'OPENAI_EMBEDDING_BASE_URL' },
  rerank: { key: 'DURABLE_RAG_RERANK_API_KEY', baseUrl: 'DURABLE_RAG_RERANK_URL' },
};

/** Route that the clients append to a base URL; removed if it was copied with it. */
const ROUTE = /\/(chat\/completions|embeddings|rerank)$/;

/**
 * Returns the parts of a base URL: origin and path, query parameters, an Authorization header made
 * of its credentials, and whether it is OpenAI's or on this machine. Credentials and query are
 * taken out of the URL, because `fetch` refuses the former and the `openai` client would append
 * its path to the latter. Returns OpenAI's endpoint if there is no URL.
 *
 * @param purpose Decides which variable an error names.
 * @throws Failure BadInput if the URL is not an http(s) URL.
 */
export function readEndpoint(baseUrl: string | undefined, purpose: Purpose = 'chat'): Endpoint {
  const openAi: Endpoint = {
    provider: 'openai',
    baseUrl: undefined,
    query: {},
    basicAuth: undefined,
    isOpenAi: true,
    isLocal: false,
    secrets: [],
  };
  if (!baseUrl) return openAi;

  const url = serverUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Failure(
      'BadInput',
      `${ENDPOINT_VARIABLES[purpose].baseUrl} is not an http(s) URL. Give one like http://127.0.0.1:8080/v1, and ${ENCODING_ADVICE}.`,
    );
  }
  const credentials = [url.username, url.password].map(decodeURIComponent);
  const path = url.pathname.replace(/\/+$/, '').replace(ROUTE, '').replace(/\/+$/, '');
  const clean = `${url.origin}${path}`;
  const isOpenAi = /(^|\.)api\.openai\.com$/.test(url.hostname);
  return {
    provider: clean === 'https://api.openai.com/v1' ? 'openai' : clean,
    baseUrl: clean,
    query: Object.fromEntries(url.searchParams),
    basicAuth: url.username
      ? `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`
      : undefined,
    isOpenAi,
    isLocal: isLocalHost(url.hostname),
    secrets: [...credentials, ...url.searchParams.values()].filter((secret) => secret !== ''),
  };
}

/**
 * Returns whether a provider runs on this machine.
 *
 * @param provider `LanguageModel.provider`: "local", or a URL.
 */
export function isLocalProvider(provider: string): boolean {
  if (provider === 'local') return true;
  return URL.canParse(provider) && isLocalHost(new URL(provider).hostname);
}

/** Returns whether a host name means this machine: "localhost", 127.*, 0.0.0.0 or "[::1]". */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\])$/.test(hostname);
}
