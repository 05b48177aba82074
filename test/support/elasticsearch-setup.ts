/** Runs once before all tests: a door behind which an Elasticsearch starts when a test first asks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { type ElasticsearchNode, startElasticsearchNode } from './elasticsearch-node.js';

declare module 'vitest' {
  export interface ProvidedContext {
    elasticsearchDoor: string;
  }
}

/** What the door answers. */
export type ElasticsearchAnswer = { url: string } | { missing: string };

/** Most test runs need no Elasticsearch, and starting one takes half a minute. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<ElasticsearchNode> | undefined;
  const door = createServer((_, response) => {
    starting ??= startElasticsearchNode();
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
    const node = await starting?.catch(() => undefined);
    await node?.remove();
  };
}
