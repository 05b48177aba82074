/** Everything that a run needs. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createClient } from '../../client/create-client.js';
import { packageRoot } from '../../stores/package-root.js';
import { freePort } from '../../temporal-dev/ports.js';
import { TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import type { TestServer } from '../stores/servers.js';
import type { ElasticsearchNode } from '../support/elasticsearch-node.js';
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
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-chaos-'));
  const [home, sets] = [join(folder, 'home'), join(folder, 'prompts')];
  const prompts = join(sets, PROMPTS);
  await mkdir(home);
  await cp(join(packageRoot(), 'prompts'), prompts, { recursive: true });
  const disk = mountSmallDisk(home, DISK_MIB);
  const model = await startFaultModel(true);
  const port = await freePort();
  const server = await immortalServer(folder, port);
  const settings = {
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    OPENAI_BASE_URL: model.server.baseUrl,
    OPENAI_API_KEY: 'none',
    DURABLE_RAG_HOME: home,
    DURABLE_RAG_PROMPTS: sets,
    DURABLE_RAG_STORE: store.url,
    ...(search && { ELASTICSEARCH_URL: search.url }),
  };
  const workers = [0, CLOCK_MS].map((ms, k) => immortalWorker(`worker ${k + 1}`, settings, ms));
  const connection = await Connection.connect({
    address: settings.TEMPORAL_ADDRESS,
    connectTimeout: '2m',
  });
  const client = await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE });
  return {
    ...{ client, model, server, workers, store, search },
    /** Of the results, where it can be filled. */
    disk,
    /** The home of the workers: results, corpora. */
    home,
    /** The folder of the prompt set that the runs name, which the workers read. */
    prompts,
    async end() {
      await connection.close();
      await Promise.all([...workers, server].map((one) => one.end()));
      await model.server.close();
      disk?.unmount();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
