/** A cluster of Temporal in processes of its own, each of which can be killed. */
import { execFile, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import { type Immortal, immortal } from '../chaos/processes.js';
import { cableTo } from '../support/cable.js';
import { freePorts } from './free-ports.js';
import { DATABASES, type Database, type Service, serverConfig } from './server-config.js';
import type { ServerPrograms } from './server-programs.js';

export interface ClusterOptions {
  programs: ServerPrograms;
  /** For configuration and logs. */
  folder: string;
  /** postgres://USER:PASSWORD@HOST:PORT/... */
  postgres: string;
  /** What is given to the server while it runs, by name; a file of its documentation's form. */
  dynamicConfig: unknown;
}

/** Two of each service that questions wait for, so that they go on without one. */
const PROCESSES: readonly Service[] = [
  'frontend',
  'frontend',
  'history',
  'history',
  'matching',
  'matching',
  'worker',
];
const NAMESPACE = 'default';
/** A minute on a busy machine. */
const READY_MS = 120_000;
const POLL_MS = 500;

/** Starts one over databases that are there, or that it makes. */
export async function startTemporalCluster(options: ClusterOptions) {
  const { programs, folder, postgres, dynamicConfig } = options;
  const database = partsOf(postgres);
  await mkdir(folder, { recursive: true });
  const dynamicFile = join(folder, 'dynamic.yaml');
  await writeFile(dynamicFile, JSON.stringify(dynamicConfig));
  const ports = await freePorts(2 * PROCESSES.length);
  const planned = PROCESSES.map((service, k) => {
    const name = `${service} ${PROCESSES.slice(0, k + 1).filter((one) => one === service).length}`;
    return { name, service, grpc: ports[2 * k] ?? 0, membership: ports[2 * k + 1] ?? 0 };
  });
  const frontends = planned.filter(({ service }) => service === 'frontend');
  const balancer = await cableTo(...frontends.map(({ grpc }) => `127.0.0.1:${grpc}`));
  const processes: Record<string, Immortal> = {};
  for (const { name, service, ...own } of planned) {
    const file = join(folder, `${name}.yaml`);
    const config = { ports: own, database, frontend: balancer.address };
    await writeFile(file, JSON.stringify(serverConfig({ ...config, dynamicConfig: dynamicFile })));
    const log = openSync(join(folder, `${name}.log`), 'a');
    const args = ['--config-file', file, '--allow-no-auth', 'start', '--service', service];
    processes[name] = immortal(name, () =>
      spawn(programs.server, args, { cwd: folder, stdio: ['ignore', log, log] }),
    );
  }
  async function end(): Promise<void> {
    await Promise.all(Object.values(processes).map((one) => one.end()));
    await balancer.close();
  }
  try {
    // A client may come to each of them.
    for (const { grpc } of frontends) await untilReady(`127.0.0.1:${grpc}`);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    /** Where clients and workers connect; whichever frontend is there answers. */
    address: balancer.address,
    end,
    /** Kills the process of this name, "frontend 1", "history 2" and so on; it comes back. */
    async kill(name: string) {
      const process = processes[name];
      if (!process) throw new Error(`There is no "${name}", only ${Object.keys(processes)}.`);
      await process.kill();
    },
  };
}

/** Makes the two databases of a cluster. */
export async function createDatabases(programs: ServerPrograms, postgres: string): Promise<void> {
  const { host, port, user, password } = partsOf(postgres);
  const of = ['--ep', host, '-p', port, '-u', user, '--pl', 'postgres12'];
  for (const [schema, database] of Object.entries(DATABASES)) {
    const run = (...args: string[]) =>
      promisify(execFile)(programs.sql, [...of, '--db', database, ...args], {
        env: { ...process.env, SQL_PASSWORD: password },
      });
    await run('create');
    await run('setup-schema', '-v', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

function partsOf(url: string): Database {
  const { hostname: host, port, username, password } = new URL(url);
  return { host, port, user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Until it has a namespace with our search attributes. */
async function untilReady(address: string): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    const trouble = await prepare(address).catch((error: Error) => error.message);
    if (trouble === undefined) return;
    if (Date.now() > until) throw new Error(`The cluster at ${address} is not ready: ${trouble}`);
    await sleep(POLL_MS);
  }
}

async function prepare(address: string): Promise<string | undefined> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    const { workflowService } = connection;
    const isThere = await workflowService.describeNamespace({ namespace: NAMESPACE }).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      await workflowService.registerNamespace({
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: msToTs('1 day'),
      });
    }
    return await registerSearchAttributes(connection, NAMESPACE);
  } finally {
    await connection.close();
  }
}
