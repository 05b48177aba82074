import { toUSVString } from 'node:util';
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { checkAgainst } from '../../core/options/checked.js';
import { describeProblems } from '../../core/options/problems.js';
import { ENCODING_ADVICE, serverUrl } from '../../core/server-url.js';
import type { SearchMode } from '../../core/vocabulary.js';
import { ANSWER_BYTES, boundedFetch } from '../../llm/bounded-fetch.js';
import { withTimeout } from '../../llm/with-timeout.js';
import { lookUp, passageCache } from '../engine-retriever.js';
import { checkCount } from '../ranking.js';
import type { Retriever } from '../retriever.js';
import { type Service, statusFailure, transportFailure } from './failures.js';

/** The options of a retriever over a search service: its address, headers and limits. */
export interface HttpRetrieverOptions {
  /**
   * URL that searches and look-ups are posted to; credentials in it are sent as basic
   * authentication.
   */
  url: string | URL;
  /** Headers of each request, such as a key. */
  headers?: Readonly<Record<string, string>>;
  /** Timeout of a complete response, in milliseconds. @default 30000 */
  timeoutMs?: number;
  /**
   * Search modes that the service supports; `mode` is sent only if this is set. @default only bm25
   */
  modes?: readonly SearchMode[];
  /** Number of found passages to keep in memory, so that they need no lookup. @default 10000 */
  cachedPassages?: number;
  /**
   * Longest Retry-After that is followed, in milliseconds; a longer one is shortened to it.
   * @default 60000
   */
  maxRetryAfterMs?: number;
}

/** Ids asked for in one request. */
const IDS_AT_ONCE = 500;

/** Maximum size of a response for each passage in it, in bytes, in addition to `ANSWER_BYTES`. */
const PASSAGE_BYTES = 256_000;

/**
 * Returns a retriever over a search service of your own. The service answers two POST requests at
 * one address: `{"query","k"}` with the passages found, best first, and `{"ids"}` with the passages
 * of these ids, both as `{"passages":[{"id","title","text","score"}]}`.
 *
 * The passage of an id must never change: passages that came with their texts are cached, and a
 * cached one is not requested by its id again.
 *
 * @throws Failure BadInput if the URL cannot be read.
 * @example
 * const wiki = httpRetriever({
 *   url: 'https://search.example/wiki',
 *   headers: { 'x-api-key': key },
 * });
 * durableRag({ corpora: { wiki } });
 */
export function httpRetriever(options: HttpRetrieverOptions): Retriever {
  const { timeoutMs = 30_000, maxRetryAfterMs = 60_000, modes } = options;
  const { address, headers, secrets } = readTarget(options);
  const name = `The search service at ${address.host}`;
  const service: Service = { name, timeoutMs, maxRetryAfterMs, secrets };
  const cache = passageCache(options.cachedPassages ?? 10_000);

  async function post(request: SearchRequest | LookupRequest, signal: AbortSignal) {
    try {
      const body = await withTimeout(timeoutMs, signal, async (both) => {
        const most =
          ANSWER_BYTES + ('ids' in request ? request.ids.length : request.k) * PASSAGE_BYTES;
        const response = await boundedFetch(fetch, most)(address, {
          method: 'POST',
          headers,
          body: JSON.stringify(request),
          signal: both,
        });
        const text = await response.text();
        if (response.status !== 200) throw statusFailure(response, text, service);
        return text;
      });
      const passages = readPassages(body, name);
      for (const { id, title, text } of passages) {
        if (text !== undefined) cache.put({ id, title, text });
      }
      return passages;
    } catch (error) {
      signal.throwIfAborted();
      throw transportFailure(error, service);
    }
  }

  return {
    async search(query, k, mode, signal = new AbortController().signal) {
      checkCount(k);
      checkMode(mode, modes, name);
      signal.throwIfAborted();
      if (query.trim() === '') return [];
      const asked = { query: toUSVString(query), k, ...(modes && mode && { mode }) };
      const found = await post(asked, signal);
      return found.slice(0, k).map(({ id, title, score }) => ({ id, title, score }));
    },

    get: (ids) =>
      lookUp(ids, {
        corpus: `of ${address.host}`,
        idsAtOnce: IDS_AT_ONCE,
        cache,
        isId: (id) => id !== '',
        async read(asked) {
          const found = await post({ ids: asked }, new AbortController().signal);
          return found.flatMap(({ id, title, text }) =>
            text === undefined ? [] : [{ id, title, text }],
          );
        },
      }),
  };
}

/**
 * Checks that the service was declared to support a search mode.
 *
 * @throws Failure BadInput if it was not.
 */
function checkMode(
  mode: SearchMode | undefined,
  modes: readonly SearchMode[] = ['bm25'],
  name: string,
): void {
  if (mode === undefined || modes.includes(mode)) return;
  throw new Failure(
    'BadInput',
    `${name} searches in one way only (asked for mode "${mode}", known: ${modes.join(', ')}). ` +
      'Leave retrieval.mode out, or give the retriever the modes that the service reads.',
  );
}

/**
 * Returns the address without credentials, which fetch refuses, and the texts that must not be
 * shown.
 */
function readTarget({ url, headers: own = {} }: HttpRetrieverOptions): {
  address: URL;
  headers: Headers;
  secrets: string[];
} {
  const address = serverUrl(String(url));
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new Failure(
      'BadInput',
      `The url of a retriever is not an http(s) URL. Give one like http://127.0.0.1:8080/search, and ${ENCODING_ADVICE}.`,
    );
  }
  const credentials = [address.username, address.password].map(decodeURIComponent);
  const headers = new Headers({ accept: 'application/json', ...own });
  headers.set('content-type', 'application/json');
  const basic = Buffer.from(credentials.join(':')).toString('base64');
  if (address.username && !headers.has('authorization')) {
    headers.set('authorization', `Basic ${basic}`);
  }
  Object.assign(address, { username: '', password: '' });
  const secrets = [...credentials, basic, ...address.searchParams.values(), ...Object.values(own)];
  return { address, headers, secrets: secrets.filter((secret) => secret !== '') };
}

/** A search. The service answers with at most `k` passages, best first. */
interface SearchRequest {
  query: string;
  k: number;
  /** Sent only to a service that reads modes. */
  mode?: SearchMode;
}

/** A look-up. The service answers with the passages it has of these, in any order. */
interface LookupRequest {
  ids: readonly string[];
}

const found = z.object({
  id: z.string().min(1),
  title: z.string().nullish(),
  text: z.string().nullish(),
  score: z.number().nullish(),
});
const answer = z.object({ passages: z.array(found) });

/**
 * Returns the distinct passages in an answer. Those without a score get 1/rank.
 *
 * @throws Failure MalformedResponse if it is not JSON; Incompatible for another shape.
 */
function readPassages(body: string, from: string) {
  const parsed = checkAgainst(answer, parseJson(body, from));
  if (parsed.problems) {
    const where = ` (${describeProblems(parsed.problems.slice(0, 1))})`;
    throw new Failure(
      'Incompatible',
      `${from} answers in another form than {"passages":[{"id","title","text","score"}]}${where}. ` +
        'Let it answer in this form, or put a service before it that does.',
    );
  }
  const distinct = new Map<string, z.output<typeof found>>();
  for (const passage of parsed.data.passages) {
    if (!distinct.has(passage.id)) distinct.set(passage.id, passage);
  }
  // A search may leave out the text; a look-up returns it.
  return [...distinct.values()].map(({ id, title, text, score }, place) => ({
    id,
    title: title ?? '',
    text: text ?? undefined,
    score: score ?? 1 / (place + 1),
  }));
}

function parseJson(body: string, from: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new Failure('MalformedResponse', `${from} gave an answer that is not JSON.`, { cause });
  }
}
