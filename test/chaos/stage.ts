/** Everything that a run needs. */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createClient } from '../../client/create-client.js';
import { packageRoot } from '../../stores/package-root.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import type { TestServer } from '../stores/servers.js';
import type { ElasticsearchNode } from '../support/elasticsearch-node.js';
import { temporaryFolder } from '../support/folder.js';
import { mountSmallDisk } from './disk.js';
import { startFaultModel } from './fault-model.js';
import { immortalServer, immortalWorker } from './processes.js';

/** Each part can be hurt while it goes. */
export type Stage = Awaited<ReturnType<typeof startStage>>;

/** The prompt set of the runs: the shipped prompts, which can be edited. */
export const PROMPTS = 'edited';

const DISK_MIB = 256;

/** The second worker's clock is ahead by this. */
const CLOCK_MS = 5_000;

/** Starts a Temporal server, a model and two workers, with a home of their own. */
export async function startStage({
  store,
  search,
}: {
  /** Where responses are kept. */
  store: TestServer;
  /** Where corpora are searched, in place of the embedded engine. */
  search: ElasticsearchNode | undefined;
}) {
  const folder = await temporaryFolder();
  const [home, sets] = [join(folder, 'home'), join(folder, 'prompts')];
  const prompts = join(sets, PROMPTS);
  await mkdir(home);
  await cp(join(packageRoot(), 'prompts'), prompts, { recursive: true });
  const disk = mountSmallDisk(home, DISK_MIB);
  const model = await startFaultModel(true);
  const env = {
    OPENAI_BASE_URL: model.server.baseUrl,
    DURABLE_RAG_HOME: home,
    DURABLE_RAG_PROMPTS: sets,
    DURABLE_RAG_STORE: store.url,
    ...(search && { ELASTICSEARCH_URL: search.url }),
  };
  const { client, server, workers, end } = await startProcesses(folder, env, CLOCK_MS);
  return {
    client,
    model,
    server,
    workers,
    store,
    search,
    /** Of the results, where it can be filled. */
    disk,
    /** The home of the workers: results, corpora. */
    home,
    /** The folder of the prompt set that the runs name, which the workers read. */
    prompts,
    async end() {
      await end();
      await model.server.close();
      disk?.unmount();
    },
  };
}

/**
 * A Temporal server with its data in a folder, and two workers with these settings.
 *
 * @param clockMs How far the second one's clock is ahead.
 */
export async function startProcesses(folder: string, env: Record<string, string>, clockMs: number) {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const server = await immortalServer(folder, port);
  const settings = { TEMPORAL_ADDRESS: address, OPENAI_API_KEY: 'none', ...env };
  const workers = [0, clockMs].map((ms, k) => immortalWorker(`worker ${k + 1}`, settings, ms));
  const connection = await Connection.connect({ address, connectTimeout: '2m' });
  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  return {
    client,
    connection,
    server,
    workers,
    async end() {
      await connection.close();
      await Promise.all([...workers, server].map((one) => one.end()));
    },
  };
}
