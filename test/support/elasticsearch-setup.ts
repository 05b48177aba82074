/** Runs once before all tests: a door behind which an Elasticsearch starts when a test first asks. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  type ElasticsearchServer,
  obtainElasticsearch,
  startElasticsearchServer,
} from '../../temporal-dev/elasticsearch-server.js';
import { homeFolder } from '../../temporal-dev/home.js';
import { ordinaryPlace } from '../../temporal-dev/ordinary-user.js';
import { freePort } from '../../temporal-dev/ports.js';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { quietReporter } from './quiet-reporter.js';

declare module 'vitest' {
  export interface ProvidedContext {
    elasticsearchDoor: string;
  }
}

/** What the door answers. */
export type ElasticsearchAnswer = { url: string } | { missing: string };

/** Most test runs need no Elasticsearch, and starting one takes half a minute. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-elasticsearch-'));
  // It runs as another user where we are root.
  await chmod(folder, 0o755);
  let starting: Promise<ElasticsearchServer> | undefined;
  const door = createServer((_, response) => {
    starting ??= start(folder);
    starting
      .then(
        ({ url }): ElasticsearchAnswer => ({ url }),
        (error: unknown): ElasticsearchAnswer => {
          if (!(error instanceof SetupError)) throw error;
          return { missing: error.message };
        },
      )
      .then((answer) => response.end(JSON.stringify(answer)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  const { port } = door.address() as AddressInfo;
  project.provide('elasticsearchDoor', `http://127.0.0.1:${port}`);
  return async () => {
    door.closeAllConnections();
    door.close();
    const server = await starting?.catch(() => undefined);
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function start(folder: string): Promise<ElasticsearchServer> {
  const { env } = process;
  const { home, user } = await ordinaryPlace(homeFolder(env));
  const parts = await obtainElasticsearch({ env, home, reporter: quietReporter });
  return startElasticsearchServer(
    parts,
    {
      port: await freePort(),
      folder: join(folder, 'node'),
      logFile: join(folder, 'elasticsearch.log'),
      heapMiB: 512,
      user,
    },
    { env },
  );
}
