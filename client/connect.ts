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

/** Returns the connection of the options, completed by the environment. */
export function targetOf({ connection, connect, namespace }: TargetOptions): {
  namespace: string;
  connectConfig: ConnectionOptions;
} {
  const isSaid = (connection ?? connect) !== undefined && namespace !== undefined;
  const target = isSaid ? undefined : environmentTarget();
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

/** gRPC backs off up to two minutes between reconnections, too long for a person who waits. */
const QUICK_RECONNECT = { 'grpc.max_reconnect_backoff_ms': 5_000 };

/** Returns the options of a connection for a person who waits. */
export function lasting(options: ConnectionOptions): ConnectionOptions {
  return { ...options, channelArgs: { ...QUICK_RECONNECT, ...options.channelArgs } };
}

/** Connects to a server. @throws Failure Connection that names the address if no server answers. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  try {
    return await Connection.connect(lasting(options));
  } catch (cause) {
    throw new Failure(
      'Connection',
      `No Temporal server answers at ${options.address ?? 'localhost:7233'}. Set TEMPORAL_ADDRESS, or start one with: npx ${command('dev')}`,
      { cause },
    );
  }
}
