import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { Failure, messageOf } from '../core/failure.js';
import { setting } from '../core/settings.js';

/**
 * The options that connections of workers (`NativeConnection.connect`) and of clients
 * (`Connection.connect`) share: address, TLS, API key and metadata.
 */
export type TemporalConnectConfig = Pick<
  NativeConnectionOptions,
  'address' | 'tls' | 'apiKey' | 'metadata'
> & { address: string };

/** A Temporal server: the namespace, and the options of the connection. */
export interface TemporalTarget {
  namespace: string;
  connectConfig: TemporalConnectConfig;
}

/**
 * Returns the connection configured by TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY,
 * TEMPORAL_TLS... or by a profile of Temporal's own configuration file (TEMPORAL_PROFILE,
 * TEMPORAL_CONFIG_FILE). The address is undefined if none of them names one.
 *
 * @throws Failure Connection if the profile, or a file that it names, cannot be read.
 */
function configuredTemporal(env: NodeJS.ProcessEnv) {
  try {
    // Empty variables are removed, since envconfig would use them.
    const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
    const { namespace = 'default', connectionOptions } = loadClientConnectConfig({
      overrideEnvVars: set as Record<string, string>,
    });
    return { namespace, connectConfig: connectionOptions };
  } catch (error) {
    throw new Failure(
      'Connection',
      `Temporal's configuration cannot be used: ${messageOf(error)}. ` +
        'Check TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE, or set TEMPORAL_ADDRESS.',
      { cause: error },
    );
  }
}

/**
 * Returns the namespace and connection options of the configured server; without one, those of a
 * server on this machine, whether or not it is running. `port` is set only in the latter case.
 *
 * @throws Failure Connection if the configuration cannot be read; BadInput if the port is invalid.
 */
export function temporalTarget(env: NodeJS.ProcessEnv): TemporalTarget & { port?: number } {
  const { namespace, connectConfig } = configuredTemporal(env);
  const { address } = connectConfig;
  if (address !== undefined) return { namespace, connectConfig: { ...connectConfig, address } };
  const port = setting(env, 'DURABLE_RAG_TEMPORAL_PORT');
  return { namespace, connectConfig: { ...connectConfig, address: `127.0.0.1:${port}` }, port };
}
