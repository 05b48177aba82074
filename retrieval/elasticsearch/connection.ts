import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { createUnzip } from 'node:zlib';
import { Client, errors, UndiciConnection } from '@elastic/elasticsearch';
import { errorCodeOf, Failure, messageOf } from '../../core/failure.js';
import { AnswerTooLong, inChunks, isRedirect } from '../../llm/bounded-fetch.js';
import { connectionFailure, elasticsearchFailure } from './failures.js';

/** The address and credentials of an Elasticsearch server; either `url` or `cloudId` is set. */
export interface ElasticsearchConfig {
  url?: string | undefined;
  /** Id in Elastic Cloud. */
  cloudId?: string | undefined;
  apiKey?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** SHA-256 of the certificate authority, as Elasticsearch prints it at its first start. */
  caFingerprint?: string | undefined;
  /** Path of a file with the certificate authority in PEM. */
  caFile?: string | undefined;
}

/**
 * A connection to an Elasticsearch server: it makes requests, and turns each of their errors into
 * a Failure.
 */
export interface ElasticsearchConnection {
  /** Address for messages, without secrets. */
  address: string;
  /**
   * Makes a request, and returns its result. @throws Failure for any error; the signal's reason if
   * aborted.
   */
  request<T>(
    call: (client: Client, options: RequestOptions) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  close(): Promise<void>;
}

interface RequestOptions {
  signal?: AbortSignal;
}

/**
 * Returns a connection to an Elasticsearch server. No request is made yet, except that the server's
 * certificates are read if the authority is given by its fingerprint.
 *
 * @throws Failure BadInput naming the variable that is wrong; Connection if the certificates cannot
 * be read, or none has the fingerprint.
 */
export async function connectElasticsearch(
  config: ElasticsearchConfig,
): Promise<ElasticsearchConnection> {
  const address = addressOf(config);
  const client = createClient(config, await authorityOf(config, address));
  return {
    address,
    async request(call, signal) {
      try {
        return await call(client, signal ? { signal } : {});
      } catch (error) {
        signal?.throwIfAborted();
        throw elasticsearchFailure(error, address);
      }
    },
    close: () => client.close(),
  };
}

function createClient(config: ElasticsearchConfig, ca: string | undefined): Client {
  const { url, cloudId, apiKey, username, password, caFingerprint } = config;
  const options: ConstructorParameters<typeof Client>[0] = {
    // Temporal retries activities, and a build retries by itself.
    maxRetries: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    Connection: BoundedConnection,
    ...(cloudId === undefined ? { node: url ?? '' } : { cloud: { id: cloudId } }),
    ...(caFingerprint === undefined ? {} : { caFingerprint }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  };
  if (apiKey !== undefined) options.auth = { apiKey };
  else if (username !== undefined) options.auth = { username, password: password ?? '' };
  try {
    return new Client(options);
  } catch (cause) {
    const reason = messageOf(cause);
    const name = cloudId === undefined ? 'ELASTICSEARCH_URL' : 'ELASTICSEARCH_CLOUD_ID';
    const cas = caFingerprint === undefined ? '' : ' or ELASTICSEARCH_CA_FINGERPRINT';
    throw new Failure('BadInput', `${name}${cas} cannot be used: ${reason}`, { cause });
  }
}

/**
 * Returns the one authority to trust, unless it is the system's. The client compares a fingerprint
 * with certificates whose signatures were not checked, so we do not leave it to the client.
 */
async function authorityOf(
  config: ElasticsearchConfig,
  address: string,
): Promise<string | undefined> {
  const { caFile, caFingerprint } = config;
  if (caFingerprint === undefined) return readAuthority(caFile);
  const unused = createClient(config, undefined);
  const [node] = unused.connectionPool.connections;
  await unused.close();
  if (node === undefined) return undefined;
  try {
    return await pinnedAuthority(node.url, caFingerprint, REQUEST_TIMEOUT_MS);
  } catch (error) {
    throw connectionFailure(error instanceof Error ? error : new Error(String(error)), address);
  }
}

async function readAuthority(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = errorCodeOf(cause) ?? cause;
    throw new Failure(
      'BadInput',
      `The file ${file} of ELASTICSEARCH_CA_FILE cannot be read (${reason}).`,
      { cause },
    );
  }
}

/** Returns a URL without user and password. */
function addressOf({ url, cloudId }: ElasticsearchConfig): string {
  if (url === undefined) return `the cloud id ${cloudId?.split(':')[0]}`;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/**
 * Maximum size of a response, in bytes: enough for a page of 500 results with their chains, or for
 * 500 passages.
 */
const ANSWER_BYTES = 64_000_000;

const REQUEST_TIMEOUT_MS = 60_000;

type Request = typeof UndiciConnection.prototype.request;
type Params = Parameters<Request>[0];
type Options = Parameters<Request>[1];

/**
 * Counts decoded bytes, because the client bounds an answer before it unpacks it. It also bounds
 * the time until the headers and between two bytes, and refuses redirects.
 */
class BoundedConnection extends UndiciConnection {
  // biome-ignore lint/suspicious/noExplicitAny: the client has one signature with a stream and one without.
  override async request(params: Params, options: Options): Promise<any> {
    const answer = await super.request(params, { ...options, asStream: true as const });
    const { statusCode, body, headers } = answer;
    // Errors are reported below; unhandled, they would end the process.
    body.on('error', () => {});
    if (isRedirect(statusCode)) {
      body.destroy();
      const sent = `Elasticsearch at ${this.url.origin} redirects (HTTP ${statusCode}).`;
      throw new Failure('Incompatible', `${sent} Set ELASTICSEARCH_URL to where it is itself.`);
    }
    const late = () => body.destroy(new errors.TimeoutError('Request timed out'));
    const timer = setTimeout(late, options.timeout ?? REQUEST_TIMEOUT_MS);
    const { 'content-encoding': encoding, ...rest } = headers;
    const isPacked = encoding !== undefined && params.method !== 'HEAD';
    const decoded = isPacked ? pipeline(body, createUnzip(), () => {}) : body;
    try {
      return { statusCode, headers: rest, body: await text(inChunks(decoded, ANSWER_BYTES)) };
    } catch (error) {
      if (error instanceof AnswerTooLong || error instanceof errors.TimeoutError) throw error;
      throw new errors.ConnectionError(messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Reads a server's certificates and returns the one with this fingerprint, in PEM. This proves
 * nothing yet, since certificates are public. Only a connection with this certificate as its single
 * authority proves that it signed the server's own.
 *
 * @param url Address of the server, https.
 * @param fingerprint SHA-256 in hexadecimal digits, with or without colons.
 * @throws Error with the reason if there is none.
 */
async function pinnedAuthority(url: URL, fingerprint: string, timeoutMs: number): Promise<string> {
  const wanted = hexOf(fingerprint);
  for (const certificate of await certificatesOf(url, timeoutMs)) {
    if (hexOf(certificate.fingerprint256) === wanted) return toPem(certificate.raw);
  }
  throw new Error('none of the certificates that it sends has the fingerprint');
}

function certificatesOf(url: URL, timeoutMs: number): Promise<DetailedPeerCertificate[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    socket.once('secureConnect', () => {
      resolve(chainOf(socket.getPeerCertificate(true)));
      socket.destroy();
    });
    socket.once('timeout', () => {
      reject(new Error('it did not answer in time'));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/**
 * Returns the chain from the server's own certificate upwards; the last one is self-signed, or its
 * issuer was not sent.
 */
function chainOf(own: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = new Set<DetailedPeerCertificate>();
  let next: DetailedPeerCertificate | undefined = own;
  while (next?.raw !== undefined && !chain.has(next)) {
    chain.add(next);
    next = next.issuerCertificate;
  }
  return [...chain];
}

function hexOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
