/** The workers of a deployment, none of which shares a folder with another. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { openResults } from '../../client/open-results.js';
import { usualQueue } from '../../workflows/queue/task-queues.js';
import { answersOf } from '../chaos/answers.js';
import { launched, type Running } from '../support/command-line.js';
import type { Site } from './site.js';

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

const READY = { timeout: 90_000, interval: 200 };

/** Resolves when all of them poll. */
export async function startFleet({
  site,
  deployment,
  model,
  workers: count,
}: {
  site: Site;
  deployment: string;
  /** Base URL of the model. */
  model: string;
  workers: number;
}) {
  const shared = {
    TEMPORAL_ADDRESS: site.temporal.address,
    OPENAI_BASE_URL: model,
    OPENAI_API_KEY: 'none',
    DURABLE_RAG_DEPLOYMENT: deployment,
    DURABLE_RAG_STORE: site.store,
    DURABLE_RAG_RESULTS: 'store',
    ELASTICSEARCH_URL: site.search.url,
  };
  let started = 0;
  async function start(): Promise<Running> {
    const home = join(site.folder, `${deployment}-${started++}`);
    await mkdir(home);
    return launched(['worker'], { ...shared, DURABLE_RAG_HOME: home });
  }
  const polls = (worker: Running) =>
    expect.poll(worker.output, READY).toContain(`polls ${usualQueue(deployment)}`);
  const workers = await Promise.all(Array.from({ length: count }, start));
  const connection = await Connection.connect({
    address: site.temporal.address,
    connectTimeout: READY.timeout,
  });
  let ended = false;
  const end = async () => {
    if (ended) return;
    ended = true;
    await connection.close();
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  };
  const client = await createClient({
    connection,
    namespace: 'default',
    taskQueue: usualQueue(deployment),
  });
  try {
    await Promise.all(workers.map(polls));
  } catch (error) {
    await end();
    throw error;
  }
  return {
    client,
    end,
    /** Kills one of them, and starts another in its place. */
    async killOne() {
      await workers.shift()?.end('SIGKILL');
      workers.push(await start());
    },
    /** Ends each by SIGTERM once its successor polls; gives their exit codes. */
    async roll() {
      const codes: (number | null)[] = [];
      for (const old of [...workers]) {
        const successor = await start();
        workers.push(successor);
        await polls(successor);
        codes.push(await old.end('SIGTERM'));
        workers.splice(workers.indexOf(old), 1);
      }
      return codes;
    },
    async answers(run: string) {
      const { runs, close } = await openResults({ ...shared, DURABLE_RAG_HOME: site.folder });
      return answersOf(runs, run).finally(close);
    },
  };
}
