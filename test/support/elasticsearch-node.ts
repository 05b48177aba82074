/** A small Elasticsearch of the test run, with users: it can be stopped and started again. */

import { pbkdf2Sync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { homeFolder } from '../../stores/home.js';
import { unprivilegedPlace } from '../../temporal-dev/elasticsearch.js';
import {
  type ElasticsearchServer,
  type ElasticsearchServerOptions,
  obtainElasticsearch,
  startElasticsearchServer,
} from '../../temporal-dev/elasticsearch-server.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { quietReporter } from './quiet-reporter.js';

export type ElasticsearchNode = Awaited<ReturnType<typeof startElasticsearchNode>>;

/** @throws {SetupError} that says what to install when no Elasticsearch can be had. */
export async function startElasticsearchNode(
  configuration: Pick<ElasticsearchServerOptions, 'settings' | 'files'> = {},
) {
  const { env } = process;
  const { home, user } = await unprivilegedPlace(homeFolder(env));
  const parts = await obtainElasticsearch({ env, home, reporter: quietReporter });
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-elasticsearch-'));
  // It runs as another user where we are root.
  await chmod(folder, 0o755);
  const options = {
    port: await freePort(),
    folder: join(folder, 'node'),
    logFile: join(folder, 'elasticsearch.log'),
    // It lives for minutes: what the second compiler would save takes longer.
    java: ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
    user,
    ...configuration,
  };
  const run = () => startElasticsearchServer(parts, options, { env });
  let server: ElasticsearchServer = await run().catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    url: server.url,
    /** Starts it at the same address, with its data. */
    async start() {
      server = await run();
    },
    stop: () => server.stop(),
    /** SIGKILL: only what it has on the disk is there after the next start. */
    async kill() {
      process.kill(await processId(server.url), 'SIGKILL');
      await server.exited;
    },
    /** Stops it and removes its data. */
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const processSchema = z.object({
  nodes: z.record(z.string(), z.object({ process: z.object({ id: z.int() }) })),
});

/** Of the server itself: what was started is a script around it. */
async function processId(url: string): Promise<number> {
  const response = await fetch(`${url}/_nodes/_local/process`);
  const { nodes } = processSchema.parse(await response.json());
  const [node] = Object.values(nodes);
  if (node === undefined) throw new Error(`${url} names no node`);
  return node.process.id;
}

/** What the documentation says that searching and indexing need. */
const ROLES = `reader:
  indices:
    - names: ['birds*']
      privileges: ['read', 'view_index_metadata']
indexer:
  indices:
    - names: ['birds*']
      privileges: ['read', 'create_index', 'index', 'manage']
`;

export const passwordOf = (user: string) => `password-of-${user}`;

/** An address, for who may do everything. */
export function forAll(url: string): string {
  return url.replace('//', `//all:${passwordOf('all')}@`);
}

/** As `elasticsearch-users` writes it. */
function hashed(user: string): string {
  const salt = Buffer.alloc(32, user);
  const hash = pbkdf2Sync(passwordOf(user), salt, 10_000, 32, 'sha512');
  return `${user}:{PBKDF2}10000$${salt.toString('base64')}$${hash.toString('base64')}\n`;
}

export const WITH_USERS: Pick<ElasticsearchServerOptions, 'settings' | 'files'> = {
  settings: [
    'xpack.security.enabled: true',
    'xpack.security.autoconfiguration.enabled: false',
    'xpack.security.http.ssl.enabled: false',
  ],
  files: {
    users: ['all', 'ina', 'rea'].map(hashed).join(''),
    users_roles: 'superuser:all\nindexer:ina\nreader:rea\n',
    'roles.yml': ROLES,
  },
};
