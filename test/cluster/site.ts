/** Where workers of several machines work: a cluster of Temporal, PostgreSQL and Elasticsearch. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { z } from 'zod';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { homeFolder } from '../../stores/home.js';
import { packageRoot } from '../../stores/package-root.js';
import { modelQueue, TASK_QUEUE, usualQueue } from '../../workflows/queue/task-queues.js';
import { findPostgres, startPostgres, type TestServer } from '../stores/servers.js';
import { type ElasticsearchNode, startElasticsearchNode } from '../support/elasticsearch-node.js';
import { temporaryFolder } from '../support/folder.js';
import { obtainServerPrograms, type ServerPrograms } from './server-programs.js';
import { createDatabases, startTemporalCluster } from './temporal-cluster.js';

export type Site = Awaited<ReturnType<typeof startSite>>;

/** What has to be on the machine already. */
export interface Installed {
  programs: ServerPrograms;
  /** Folder of PostgreSQL's programs. */
  postgres: string;
}

export const STORE_DATABASE = 'durable_rag';
/** Seven processes of Temporal have a pool for each database, and each worker has its own. */
const MAX_CONNECTIONS = 300;

/** What a site is made with; or what there is to be installed first. */
export async function findInstalled(say: (text: string) => void): Promise<Installed | string> {
  const postgres = findPostgres();
  if (postgres === undefined) return 'Install PostgreSQL (apt install postgresql).';
  const programs = await obtainServerPrograms(homeFolder(process.env), say);
  return typeof programs === 'string'
    ? `To test on a cluster, ${programs}.`
    : { programs, postgres };
}

export interface SiteOptions {
  /** Of the workers: a limit of requests needs one partition of their queue. */
  deployments: readonly string[];
  /** Folder that Elasticsearch may keep snapshots in. */
  snapshots: string;
  /** Fills PostgreSQL and Elasticsearch in place of making them anew. */
  restore?: (postgres: TestServer, search: ElasticsearchNode) => Promise<void>;
}

export async function startSite(
  { programs, postgres: bin }: Installed,
  { deployments, snapshots, restore }: SiteOptions,
) {
  const folder = await temporaryFolder();
  const parts: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const part of parts.splice(0).reverse()) await part();
  };
  try {
    const settings = ['xpack.security.enabled: false', `path.repo: ${snapshots}`];
    const searching = startElasticsearchNode({ settings });
    parts.push(() => searching.then((node) => node.remove()));
    const postgres = await startPostgres(bin, { max_connections: MAX_CONNECTIONS });
    parts.push(() => postgres.remove());
    if (restore) {
      await restore(postgres, await searching);
    } else {
      await createDatabases(programs, postgres.url);
      await onPostgres(postgres.url, `CREATE DATABASE ${STORE_DATABASE}`);
    }
    const cluster = { programs, folder: join(folder, 'temporal'), postgres: postgres.url };
    const temporal = await startTemporalCluster({
      ...cluster,
      dynamicConfig: await dynamicConfigFor(deployments),
    });
    parts.push(() => temporal.end());
    const search = await searching;
    if (!restore) await indexSample(search);
    const store = new URL(STORE_DATABASE, postgres.url).href;
    // The database that the workers keep their store in, and a folder for what goes with the site.
    return { temporal, postgres, search, store, folder, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function indexSample({ url }: ElasticsearchNode): Promise<void> {
  const engine = await openSearch({ corpora: '', elasticsearch: { url } });
  await ensureSampleCorpus(engine);
  await engine.close();
}

/** What the docs say to set, for the queues of these deployments. */
async function dynamicConfigFor(deployments: readonly string[]) {
  const file = join(packageRoot(), 'deploy', 'dynamic-config.yaml');
  const documented = dynamicConfig.parse(parse(await readFile(file, 'utf8')));
  const queues = deployments.map((name) => modelQueue(usualQueue(name)));
  return Object.fromEntries(
    Object.entries(documented).map(([key, values]) => [
      key,
      values.flatMap(({ value, constraints }) =>
        constraints === undefined
          ? [{ value }]
          : queues.map((taskQueueName) => ({ value, constraints: { taskQueueName } })),
      ),
    ]),
  );
}

const dynamicConfig = z.record(
  z.string(),
  z.array(
    z.strictObject({
      value: z.union([z.boolean(), z.number()]),
      constraints: z.strictObject({ taskQueueName: z.literal(modelQueue(TASK_QUEUE)) }).optional(),
    }),
  ),
);

/** The rows of a statement. */
export async function onPostgres(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
