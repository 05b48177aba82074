/** Whether requests to a Temporal server are compressed. Pure. */
import type { NativeConnectionOptions } from '@temporalio/worker';

type Compression = Pick<NativeConnectionOptions, 'grpcCompression'>;

const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/**
 * Nothing where the server is elsewhere, which leaves it to the SDK. On one machine it saves nothing
 * and costs both sides: a worker's SDK compresses each request, and the server each answer to it.
 *
 * @param address "host:port", or undefined for that of the SDK.
 */
export function compressionFor(address: string | undefined): Compression {
  return address !== undefined && THIS_MACHINE.test(address)
    ? { grpcCompression: { codec: 'none' } }
    : {};
}
