import type { NativeConnectionOptions } from '@temporalio/worker';
import { isLocalHost } from '../llm/openai/endpoint.js';

type Compression = Pick<NativeConnectionOptions, 'grpcCompression'>;

/**
 * Nothing where the server is elsewhere, which leaves it to the SDK. On one machine it saves nothing
 * and costs both sides: a worker's SDK compresses each request, and the server each answer to it.
 *
 * @param address "host:port", or undefined for that of the SDK.
 */
export function compressionFor(address: string | undefined): Compression {
  const url = `http://${address}`;
  const isLocal = URL.canParse(url) && isLocalHost(new URL(url).hostname);
  return isLocal ? { grpcCompression: { codec: 'none' } } : {};
}
