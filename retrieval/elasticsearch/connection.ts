import { readFile } from 'node:fs/promises';
import { jsonIn } from '../../core/canonical-json.js';
import { codeOf, Failure, messageOf } from '../../core/failure.js';
import { boundedFetch, isRedirect } from '../../llm/bounded-fetch.js';
import { withTimeout } from '../../llm/with-timeout.js';
import { ElasticsearchAnswer, elasticsearchFailure, unconnected } from './failures.js';
import { pinnedAuthority } from './pinned-authority.js';

/** How to reach it; one of url and cloudId. */
export interface ElasticsearchConfig {
  url?: string | undefined;
  /** Of Elastic Cloud. */
  cloudId?: string | undefined;
  apiKey?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** SHA-256 of the certificate authority, as Elasticsearch prints it at its first start. */
  caFingerprint?: string | undefined;
  /** The certificate authority in PEM. */
  caFile?: string | undefined;
}

export interface ElasticsearchConnection {
  /** For messages; holds no secret. */
  address: string;
  /**
   * Makes a request, and returns the JSON of its answer.
   *
   * @throws Failure for whatever goes wrong; the signal's reason when aborted.
   */
  request(path: string, sent?: ElasticsearchRequest): Promise<unknown>;
  close(): Promise<void>;
}

export interface ElasticsearchRequest {
  /** @default POST where there is something to send, else GET */
  method?: 'DELETE' | 'POST' | 'PUT';
  query?: Record<string, string>;
  json?: object;
  /** In place of JSON: a line for each. */
  lines?: readonly object[];
  signal?: AbortSignal | undefined;
}

/** A page of 500 results with their chains, or as many passages. */
const ANSWER_BYTES = 64_000_000;

const TIMEOUT_MS = 60_000;

/** Names our version to a server that may speak several. */
const mediaType = (kind: string) => `application/vnd.elasticsearch+${kind}; compatible-with=9`;

/**
 * Sets up a connection. No request is made yet; where the authority is named by its fingerprint,
 * the server is asked for its certificates.
 *
 * @param timeoutMs Until a whole answer must be there.
 * @throws Failure BadInput naming the variable that is wrong; Connection where none of the
 *   certificates has the fingerprint.
 */
export async function connectElasticsearch(
  config: ElasticsearchConfig,
  timeoutMs = TIMEOUT_MS,
): Promise<ElasticsearchConnection> {
  const node = nodeOf(config);
  const base = `${node.origin}${node.pathname.replace(/\/+$/, '')}`;
  const { cloudId } = config;
  const address = cloudId === undefined ? base : `the cloud id ${cloudId.split(':')[0]}`;
  const ca = await authorityOf(config, node, address);
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
  const send = (url: URL, init: object) => fetch(url, { ...init, dispatcher });
  const bounded = boundedFetch(send as unknown as typeof globalThis.fetch, ANSWER_BYTES);
  const authorization = authorizationOf(config, node);

  async function answered(path: string, sent: ElasticsearchRequest, signal: AbortSignal) {
    const { json, lines, query } = sent;
    const body = lines
      ? lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      : json && JSON.stringify(json);
    const headers = {
      accept: mediaType('json'),
      ...(authorization && { authorization }),
      ...(body && { 'content-type': mediaType(lines ? 'x-ndjson' : 'json') }),
    };
    const method = sent.method ?? (body ? 'POST' : 'GET');
    const url = new URL(`${base}${path}`);
    url.search = String(new URLSearchParams(query));
    const response = await bounded(url, { method, headers, body: body ?? null, signal });
    if (isRedirect(response.status)) {
      const sends = `Elasticsearch at ${node.origin} sends elsewhere (HTTP ${response.status}).`;
      throw new Failure('Incompatible', `${sends} Set ELASTICSEARCH_URL to where it is itself.`);
    }
    return new ElasticsearchAnswer(response, await response.text());
  }

  return {
    address,
    async request(path, sent = {}) {
      const { signal = new AbortController().signal } = sent;
      try {
        const call = (both: AbortSignal) => answered(path, sent, both);
        const answer = await withTimeout(timeoutMs, signal, call);
        const json = answer.isGood ? jsonIn(answer.text) : undefined;
        if (json === undefined) throw answer;
        return json;
      } catch (error) {
        signal.throwIfAborted();
        throw elasticsearchFailure(error, address);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** @throws Failure BadInput where it is no URL, or no cloud id. */
function nodeOf({ url, cloudId }: ElasticsearchConfig): URL {
  try {
    if (cloudId === undefined) return new URL(url ?? '');
    const [, packed = ''] = cloudId.split(':');
    const [host, id] = Buffer.from(packed, 'base64').toString().split('$');
    if (!host || !id) throw new Error('It names no cluster.');
    return new URL(`https://${id}.${host}`);
  } catch (cause) {
    const name = cloudId === undefined ? 'ELASTICSEARCH_URL' : 'ELASTICSEARCH_CLOUD_ID';
    throw new Failure('BadInput', `${name} cannot be used: ${messageOf(cause)}`, { cause });
  }
}

function authorizationOf(
  { apiKey, username, password = '' }: ElasticsearchConfig,
  node: URL,
): string | undefined {
  if (apiKey !== undefined) return `ApiKey ${apiKey}`;
  const inUrl = [node.username, node.password].map(decodeURIComponent);
  const credentials = (username === undefined ? inUrl : [username, password]).join(':');
  return credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Returns the one authority to trust, unless it is the system's. */
async function authorityOf(
  { caFile, caFingerprint }: ElasticsearchConfig,
  node: URL,
  address: string,
): Promise<string | undefined> {
  if (caFingerprint === undefined) return caFile === undefined ? undefined : readAuthority(caFile);
  try {
    return await pinnedAuthority(node, caFingerprint, TIMEOUT_MS);
  } catch (error) {
    throw unconnected(error, address);
  }
}

async function readAuthority(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = codeOf(cause) ?? cause;
    throw new Failure(
      'BadInput',
      `The file ${file} of ELASTICSEARCH_CA_FILE cannot be read (${reason}).`,
      { cause },
    );
  }
}
