/** Connects a client to its Temporal server. */
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { type TemporalTarget, temporalTarget } from './temporal-target.js';

interface TargetOptions {
  connection?: Connection;
  connect?: ConnectionOptions;
  namespace?: string;
}

/**
 * Returns the namespace and the connection options for a Temporal server, from the given options;
 * missing ones are taken from the environment.
 *
 * @throws Failure Connection if the environment is needed and cannot be read.
 */
export function targetOf({ connection, connect, namespace }: TargetOptions): {
  namespace: string;
  connectConfig: ConnectionOptions;
} {
  const isGiven = (connection ?? connect) !== undefined && namespace !== undefined;
  const target = isGiven ? undefined : environmentTarget();
  return {
    namespace: namespace ?? target?.namespace ?? 'default',
    connectConfig: connect ?? target?.connectConfig ?? {},
  };
}

function environmentTarget(): TemporalTarget {
  try {
    return temporalTarget(process.env);
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    throw new Failure('Connection', cause.message, { cause });
  }
}

/** gRPC's usual limit of two minutes between reconnections is too long for a waiting person. */
const QUICK_RECONNECT = { 'grpc.max_reconnect_backoff_ms': 5_000 };

/**
 * Returns the options of a connection to Temporal by which a lost connection is retried at least
 * every 5 s, for commands that a person waits for. Options that set their own backoff keep it.
 */
export function withQuickReconnect(options: ConnectionOptions): ConnectionOptions {
  return { ...options, channelArgs: { ...QUICK_RECONNECT, ...options.channelArgs } };
}

/**
 * Connects to a Temporal server and returns the connection of a client.
 *
 * @throws Failure Connection naming the address if no server answers.
 */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  try {
    return await Connection.connect(withQuickReconnect(options));
  } catch (cause) {
    throw new Failure(
      'Connection',
      `No Temporal server answers at ${options.address ?? 'localhost:7233'}. Set TEMPORAL_ADDRESS, or start one with: npx ${command('dev')}`,
      { cause },
    );
  }
}
