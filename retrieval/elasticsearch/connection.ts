import { readFile } from 'node:fs/promises';
import { Client } from '@elastic/elasticsearch';
import { Failure, messageOf } from '../../core/failure.js';
import { BoundedConnection, REQUEST_TIMEOUT_MS } from './bounded-connection.js';
import { elasticsearchFailure, unconnected } from './failures.js';
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
   * Makes a request.
   *
   * @throws Failure for whatever goes wrong; the signal's reason when aborted.
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
 * Sets up a connection. No request is made yet; where the authority is named by its fingerprint,
 * the server is asked for its certificates.
 *
 * @throws Failure BadInput naming the variable that is wrong; Connection where none of the
 *   certificates has the fingerprint.
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
    // Temporal retries, and a build by itself.
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
    throw unconnected(error instanceof Error ? error : new Error(String(error)), address);
  }
}

async function readAuthority(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause;
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
