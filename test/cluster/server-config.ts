/** The configuration of one process of a Temporal cluster. Pure. */

export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type Service = (typeof SERVICES)[number];

/** Of the one service that the process is started for. */
export interface Ports {
  grpc: number;
  membership: number;
}

/** A database server, by its parts. */
export interface Database {
  host: string;
  port: string;
  user: string;
  password: string;
}

export interface ProcessOptions {
  ports: Ports;
  database: Database;
  /** Where the frontends answer. */
  frontend: string;
  /** Of the file with the dynamic configuration. */
  dynamicConfig: string;
}

/** Shards of histories: what a cluster begins with it keeps. */
const SHARDS = 16;
/** Of each process; all have their own, each a process of PostgreSQL that takes 50 ms to start. */
const CONNECTIONS = { maxConns: 8, maxIdleConns: 8, maxConnLifetime: '1h' };
export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

/** As an object that is written as JSON, which is YAML too. */
export function serverConfig({ ports, database, frontend, dynamicConfig }: ProcessOptions) {
  const { host, port, user, password } = database;
  const sql = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      user,
      password,
      connectAddr: `${host}:${port}`,
      connectProtocol: 'tcp',
      ...CONNECTIONS,
    },
  });
  const rpc = { grpcPort: ports.grpc, membershipPort: ports.membership, bindOnLocalHost: true };
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: SHARDS,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: {
        default: sql(DATABASES.temporal),
        visibility: sql(DATABASES.visibility),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    // Each process knows all of them, and listens for the one that it is started for.
    services: Object.fromEntries(SERVICES.map((service) => [service, { rpc }])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: frontend,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '10s' },
  };
}
