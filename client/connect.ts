/** Which Temporal server a client talks to. */
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { type TemporalTarget, temporalTarget } from './temporal-target.js';

export interface TargetOptions {
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

/** gRPC retries more and more rarely, up to every two minutes: too late for somebody who waits. */
const LOOKS_AGAIN = { 'grpc.max_reconnect_backoff_ms': 5_000 };

/** Options of a connection for somebody who waits. */
export function lasting(options: ConnectionOptions): ConnectionOptions {
  return { ...options, channelArgs: { ...LOOKS_AGAIN, ...options.channelArgs } };
}

/** @throws Failure Connection that names the address where no server answers. */
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
