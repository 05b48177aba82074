/** Connects to the Temporal server of a command, and checks that its namespace exists. */
import type { Connection } from '@temporalio/client';
import { withQuickReconnect } from '../client/connect.js';
import { GRPC, grpcCode } from '../client/grpc-code.js';
import type { TemporalConnectConfig, TemporalTarget } from '../client/temporal-target.js';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { reasonOf } from '../temporal-dev/setup-error.js';
import { connectTemporal } from '../temporal-dev/temporal-server.js';

const TIMEOUT_MS = 5_000;

/** A connection to a Temporal server, and a namespace of it. */
export interface OpenServer {
  connection: Connection;
  namespace: string;
}

/**
 * Connects to a Temporal server and checks that the namespace exists, if the key permits the
 * question. Returns the connection, which the caller closes.
 *
 * @throws Failure Connection naming the server if none answers or it refuses; BadInput naming the
 * namespace if the server has none of that name.
 */
export async function reachServer({
  connectConfig,
  namespace,
}: TemporalTarget): Promise<Connection> {
  const { address } = connectConfig;
  const { connection } = await connectTemporal(withQuickReconnect(connectConfig), TIMEOUT_MS).catch(
    (error: unknown) => Promise.reject(unreached(connectConfig, error)),
  );
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    // A key without permission to describe the namespace may still work in it.
    if (grpcCode(error) !== GRPC.notFound) return connection;
    await connection.close();
    throw new Failure(
      'BadInput',
      `The Temporal server at ${address} has no namespace ${namespace}. Set TEMPORAL_NAMESPACE to one that it has, or create it: temporal operator namespace create --namespace ${namespace}`,
    );
  }
  return connection;
}

const CERTIFICATE = 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH';

function unreached({ address, tls }: TemporalConnectConfig, error: unknown): Failure {
  const reason = reasonOf(error);
  const code = grpcCode(error);
  if (code === GRPC.unauthenticated || code === GRPC.permissionDenied) {
    return new Failure(
      'Connection',
      `The Temporal server at ${address} refuses this client (${reason}). Check TEMPORAL_API_KEY, or ${CERTIFICATE}.`,
    );
  }
  if (!tls) return unreachable(address, reason);
  return new Failure(
    'Connection',
    `No Temporal server answers at ${address} over TLS (${reason}). Check TEMPORAL_ADDRESS; if the server requires a client certificate, ${CERTIFICATE}; if its own certificate is from a private authority, TEMPORAL_TLS_SERVER_CA_CERT_PATH.`,
  );
}

/**
 * Returns the failure for a Temporal server that does not answer.
 *
 * @param reason Text in brackets after the address.
 */
export function unreachable(address: string, reason: string): Failure {
  return new Failure(
    'Connection',
    `No Temporal server answers at ${address} (${reason}). Set TEMPORAL_ADDRESS, or start one with: ${command('dev')}`,
  );
}
